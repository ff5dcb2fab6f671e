// Command empty does nothing: the cost of a process.
package main

func main() {}
