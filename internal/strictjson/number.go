package strictjson

import (
	"math"
	"strconv"
)

// maxNumberLen holds every canonical number: sign, 17 digits, point, leading or
// trailing zeros, exponent.
const maxNumberLen = 32

// maxDigits is the most significant digits a canonical number can have, since 17
// name every float64. A number with more is never equal to its canonical form.
const maxDigits = 17

// appendNumber writes a finite f as ECMAScript's Number::toString does, which is
// what RFC 8785 asks for.
func appendNumber(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0') // -0 too
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// strconv writes at least two exponent digits, ECMAScript no leading zero.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// exactness says whether a number keeps its value in canonical form, or why not.
type exactness uint8

const (
	exact      exactness = iota + 1
	tooPrecise           // more significant digits than any canonical number has
	tooLarge             // beyond the largest float64
	rounded              // the canonical form is another value
)

// canonicalNumber gives the canonical form of literal, which is a well-formed
// JSON number. The form is literal itself, without a copy, where they agree; it
// is also given for a rounded number, for the message. Work is linear in the
// literal's length and constant after its significant digits are counted.
func canonicalNumber(literal string) (string, exactness) {
	want, ok := parseDecimal(literal)
	if !ok {
		return "", tooPrecise
	}
	// ParseFloat gets at most 17 digits and an exponent: bounded work.
	var buf [maxNumberLen + 16]byte
	f, err := strconv.ParseFloat(string(want.append(buf[:0])), 64)
	if err != nil {
		return "", tooLarge
	}
	form := appendNumber(buf[:0], f)
	if string(form) == literal {
		return literal, exact
	}
	got, _ := parseDecimal(string(form))
	if got != want {
		return string(form), rounded
	}
	return string(form), exact
}

// decimal is an exact decimal number: digits × 10^exp, without leading or
// trailing zeros among the digits, so that equal numbers are equal structs.
type decimal struct {
	negative bool
	digits   [maxDigits]byte
	count    int
	exp      int
}

// parseDecimal reads a well-formed JSON number; false if it has more than
// maxDigits significant digits.
func parseDecimal(literal string) (decimal, bool) {
	var d decimal
	i := 0
	if literal[0] == '-' {
		d.negative = true
		i++
	}
	zeros := 0 // zeros seen since the last significant digit
	fraction := false
	for ; i < len(literal); i++ {
		c := literal[i]
		if c == '.' {
			fraction = true
			continue
		}
		if c == 'e' || c == 'E' {
			break
		}
		if fraction {
			d.exp--
		}
		if c == '0' {
			zeros++
			continue
		}
		if !d.push(zeros, c) {
			return decimal{}, false
		}
		zeros = 0
	}
	if d.count == 0 {
		return decimal{}, true // zero, whatever its sign and exponent
	}
	d.exp += zeros + exponent(literal[i:])
	return d, true
}

// push adds the zeros that turned out to be inside the number, and one digit.
func (d *decimal) push(zeros int, digit byte) bool {
	if d.count == 0 {
		zeros = 0
	}
	if zeros > maxDigits || d.count+zeros+1 > maxDigits {
		return false
	}
	for range zeros {
		d.digits[d.count] = '0'
		d.count++
	}
	d.digits[d.count] = digit
	d.count++
	return true
}

// exponent reads "e+12" or nothing. It stops growing far beyond what the digits
// of a text of maxSize bytes could bring back into a float64's range.
func exponent(s string) int {
	const enough = 1 << 30
	if s == "" {
		return 0
	}
	s = s[1:]
	negative := s[0] == '-'
	if negative || s[0] == '+' {
		s = s[1:]
	}
	n := 0
	for i := 0; i < len(s) && n < enough; i++ {
		n = n*10 + int(s[i]-'0')
	}
	if negative {
		return -n
	}
	return n
}

// append writes the number in a form that strconv reads.
func (d decimal) append(dst []byte) []byte {
	if d.count == 0 {
		return append(dst, '0')
	}
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(dst, d.digits[:d.count]...)
	dst = append(dst, 'e')
	return strconv.AppendInt(dst, int64(d.exp), 10)
}
