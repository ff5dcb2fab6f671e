// Package house holds the rules of this repository as tests: which package may
// import which, what the deterministic packages must not do, which package owns
// which library, what the binary links, and how codes and package comments
// look. It has no code of its own.
//
// The rules are data in rules_test.go, each with its reason. To add a package,
// put it into order; to add a library, into libraries. A rule about something
// that is not there any more fails too.
package house
