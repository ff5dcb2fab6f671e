package expression

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"harness/internal/strictjson"
)

// EvalError says why an expression gave no result.
type EvalError struct {
	Offset  int // where, in code points of the source, from 0
	Message string
	plain   string // the message without what the values hold
}

// Error is the message.
func (e *EvalError) Error() string { return e.Message }

// reason is why there is no value. The zero value is unset.
type reason uint8

const (
	notThere reason = iota + 1
	noSuchMember
	noSuchKey
	noMembers
	badIndex
	notWhole
	outOfRange
	badKey
	keyTwice
	notBool
	noOperation
	divisionByZero
	notWholeOperands
	inexact
	tooLargeNumber
	wrongResult

	// The limits, which nothing absorbs.
	tooMuchWork
	tooLong
	tooManyElements
	tooLargeResult
)

func (r reason) isLimit() bool { return r >= tooMuchWork }

// failure is why there is no value. It is put into words only if nothing absorbs
// it.
type failure struct {
	reason reason
	node   *node // where; nil for the expression as a whole
	got    strictjson.Value
	other  strictjson.Value
	want   *Type
}

func (f failure) err(source string) *EvalError {
	e := &EvalError{Message: f.message()}
	e.plain = f.plain(e.Message)
	if f.node != nil {
		e.Offset = utf8.RuneCountInString(source[:f.node.at])
	}
	return e
}

// plain is the message if it quotes none of the values: names, kinds and limits only.
func (f failure) plain(message string) string {
	switch f.reason {
	case notThere, noSuchMember, noMembers, badIndex, badKey, notBool, noOperation, divisionByZero, tooLargeNumber, wrongResult,
		tooMuchWork, tooLong, tooManyElements, tooLargeResult:
		return message
	case noSuchKey:
		return "no such member"
	case outOfRange:
		return "the index is out of range"
	default:
		return "a value does not fit the operation"
	}
}

// Plain is why an expression gave nothing, without what the values hold: they may be
// what the reader has no right to.
func Plain(err error) string {
	var e *EvalError
	if errors.As(err, &e) {
		return e.plain
	}
	return err.Error()
}

func (f failure) message() string {
	switch f.reason {
	case notThere:
		return f.what() + " is not there"
	case noSuchMember:
		return "no such member: " + shown(f.node.text)
	case noSuchKey:
		return "no such member: " + shown(f.got.Str())
	case noMembers:
		return "no such member: " + shown(f.node.text) + "; " + kindName(f.got) + " has no members"
	case badIndex:
		return kindName(f.got) + " cannot be indexed by " + kindName(f.other)
	case notWhole:
		return "a list is indexed by a whole number, not " + canonical(f.got)
	case outOfRange:
		return fmt.Sprintf("index %s is out of range: the list's size is %d", canonical(f.got), len(f.other.Items()))
	case badKey:
		return "the keys of a map are strings, not " + kindName(f.got)
	case keyTwice:
		return "the key " + strictjson.Quote(f.got.Str()) + " is given twice"
	case notBool:
		return "expected true or false, got " + kindName(f.got)
	case noOperation:
		return f.noOperation()
	case wrongResult:
		return "the result is " + kindName(f.got) + ", and must be " + f.want.String()
	default:
		return f.numberOrLimit()
	}
}

func (f failure) numberOrLimit() string {
	switch f.reason {
	case divisionByZero:
		return "division by zero"
	case notWholeOperands:
		return fmt.Sprintf("%% takes whole numbers up to 2^53, not %s and %s", canonical(f.got), canonical(f.other))
	case inexact:
		return "the number " + canonical(f.got) + " cannot be computed with: a 64-bit float does not hold it"
	case tooLargeNumber:
		return "the result of " + f.node.text + " is too large to be exact"
	case tooMuchWork:
		return fmt.Sprintf("too much work: more than %d steps", maxSteps)
	case tooLong:
		return fmt.Sprintf("the string made by + is longer than %d bytes", maxText)
	case tooManyElements:
		return fmt.Sprintf("the list made by + has more than %d elements", maxElements)
	default:
		return fmt.Sprintf("the result is too large: more than %d parts, %d bytes of text or %d levels", maxElements, maxText, maxNesting)
	}
}

// what is a variable's name, or the element of a list.
func (f failure) what() string {
	if f.node.op == opIndex {
		return "the element"
	}
	return shown(f.node.text)
}

// noOperation names an operator or function and what it was given.
func (f failure) noOperation() string {
	message := f.node.text + " cannot be applied to " + kindName(f.got)
	if !f.other.IsZero() {
		message += " and " + kindName(f.other)
	}
	return message
}

// kindName is the kind of a value in the words of types.
func kindName(v strictjson.Value) string {
	switch v.Kind() {
	case strictjson.Null:
		return "null"
	case strictjson.Bool:
		return "a bool"
	case strictjson.Number:
		return "a number"
	case strictjson.String:
		return "a string"
	case strictjson.Array:
		return "a list"
	case strictjson.Object:
		return "a map"
	default:
		return "a value that is not there"
	}
}

// canonical is a number as it is written.
func canonical(v strictjson.Value) string { return string(strictjson.AppendCanonical(nil, v)) }
