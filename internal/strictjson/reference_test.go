package strictjson

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// referenceRefuses is a second road to the verdict of [Parse], built on
// encoding/json and on whole-number arithmetic. It returns the reason, "" for
// a text to accept.
func referenceRefuses(data []byte) string {
	switch {
	case len(data) > 1<<20:
		return "size"
	case !utf8.Valid(data):
		return "utf-8"
	case !json.Valid(data):
		return "syntax"
	case hasLoneSurrogate(data):
		return "surrogate"
	}
	return refusedToken(data)
}

// refusedToken walks the tokens of a valid text for depth, duplicates, numbers.
func refusedToken(data []byte) string {
	type open struct {
		names  map[string]bool // nil for an array
		isName bool
	}
	var stack []open
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err == io.EOF {
			return ""
		}
		if err != nil {
			return "token: " + err.Error()
		}
		top := len(stack) - 1
		if s, ok := token.(string); ok && top >= 0 && stack[top].isName {
			if stack[top].names[s] {
				return "duplicate"
			}
			stack[top].names[s] = true
			stack[top].isName = false
			continue
		}
		if top >= 0 && stack[top].names != nil {
			stack[top].isName = true // after this value
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				stack = append(stack, open{map[string]bool{}, true})
			case '[':
				stack = append(stack, open{})
			default:
				stack = stack[:top]
			}
			if len(stack) > 64 {
				return "depth"
			}
		case json.Number:
			if changes(string(token)) {
				return "number"
			}
		}
	}
}

// changes says whether a number is another once it went through a float64 and its
// shortest form. Exponents beyond all floats are not multiplied out.
func changes(literal string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	if !strings.ContainsAny(mantissa, "123456789") {
		return false
	}
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || max(e, -e) > len(mantissa)+400) {
		return true
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return true
	}
	want, ok := new(big.Rat).SetString(literal)
	got, ok2 := new(big.Rat).SetString(strconv.FormatFloat(f, 'e', -1, 64))
	return !ok || !ok2 || want.Cmp(got) != 0
}

// hasLoneSurrogate looks at the escapes of a valid text.
func hasLoneSurrogate(data []byte) bool {
	var high rune
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			if high != 0 {
				return true
			}
			continue
		}
		i++
		if data[i] != 'u' {
			if high != 0 {
				return true
			}
			continue
		}
		n, _ := strconv.ParseUint(string(data[i+1:i+5]), 16, 16)
		unit := rune(n)
		i += 4
		switch {
		case high != 0:
			if utf16.DecodeRune(high, unit) == utf8.RuneError {
				return true
			}
			high = 0
		case utf16.IsSurrogate(unit):
			high = unit
		}
	}
	return high != 0
}
