package scenarios

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v4"

	"harness/internal/strictjson"
)

// quoted are the styles in which a scalar is a text whatever it spells.
const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// isPlain reports whether a node is a scalar without quotes and tag.
func isPlain(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&(quoted|yaml.TaggedStyle) == 0
}

// isText reports whether a node is a text: quoted, or plain and nothing else in
// any YAML reader's eyes.
func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// isNull reports whether a node is null, written or left empty.
func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && isPlain(n) }

// retag corrects two tags of the library's: a number beyond the range of a float
// is none of its numbers, though other readers take it for infinity, and << is
// a text where it is no key.
func retag(n *yaml.Node, isKey bool) {
	switch {
	case n.Tag == "!!str" && isPlain(n) && isNumber(n.Value):
		n.Tag = "!!float"
	case n.Tag == "!!merge" && isPlain(n) && !isKey:
		n.Tag = "!!str"
	}
}

// isNumber reports whether a plain scalar is a number in YAML's core schema.
func isNumber(s string) bool {
	if s == "" || s[0] > '9' {
		return false
	}
	if s[0] == '-' || s[0] == '+' {
		s = s[1:]
	}
	before := digits(s)
	after := 0
	if s = s[before:]; s != "" && s[0] == '.' {
		after = digits(s[1:])
		s = s[1+after:]
	}
	if before+after == 0 {
		return false
	}
	if s != "" && s[0]|0x20 == 'e' {
		if s = s[1:]; s != "" && (s[0] == '-' || s[0] == '+') {
			s = s[1:]
		}
		if s == "" {
			return false
		}
		s = s[digits(s):]
	}
	return s == ""
}

// digits is how many digits a text starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// boolOf reads true or false; every other spelling is none.
func boolOf(n *yaml.Node) (value, ok bool) {
	if !isPlain(n) {
		return false, false
	}
	return n.Value == "true", n.Value == "true" || n.Value == "false"
}

// isDecimal reports whether s is a whole number in the one spelling that every
// reader understands alike: a minus sign or not, no leading zeros, digits.
func isDecimal(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	if s == "" || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// intOf reads a whole number from 0. The fault completes "KEY …".
func intOf(n *yaml.Node) (value int, fault, hint string) {
	if !isPlain(n) || !isDecimal(n.Value) {
		return 0, "must be a whole number, got " + describe(n), intHint(n)
	}
	v, err := strconv.ParseInt(n.Value, 10, 32)
	switch {
	case n.Value[0] == '-':
		return 0, "must not be negative, got " + strictjson.Quote(n.Value), ""
	case err != nil:
		return 0, "must be at most 2147483647, got " + strictjson.Quote(n.Value), ""
	default:
		return int(v), "", ""
	}
}

// intHint says how a number that was meant would be written.
func intHint(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	switch {
	case isPlain(n) && (n.Tag == "!!int" || n.Tag == "!!float"):
		return "write decimal digits only, without sign, leading zero, point, exponent or _"
	case !isPlain(n) && isDecimal(n.Value):
		return "leave out the quotes"
	default:
		return ""
	}
}

// boolHint says how a boolean that was meant would be written.
func boolHint(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	switch n.Value {
	case "yes", "Yes", "YES", "on", "On", "ON", "y", "Y", "True", "TRUE", "true", "1":
		return "write true, without quotes"
	case "no", "No", "NO", "off", "Off", "OFF", "n", "N", "False", "FALSE", "false", "0":
		return "write false, without quotes"
	default:
		return ""
	}
}

// textHint says how a text that was meant would be written.
func textHint(n *yaml.Node) string {
	if !isPlain(n) {
		return ""
	}
	if n.Value == "" {
		return `write "" for an empty text, or leave the key out`
	}
	if len(n.Value) > 40 {
		return "put it in quotes"
	}
	return `write "` + n.Value + `"`
}

// describe says what a node is, for a message.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	if !isPlain(n) {
		return "the text " + strictjson.Quote(n.Value)
	}
	switch n.Tag {
	case "!!null":
		if n.Value == "" {
			return "nothing"
		}
		return "null"
	case "!!bool":
		return "the boolean " + n.Value
	case "!!int", "!!float":
		return "the number " + strictjson.Quote(n.Value)
	case "!!timestamp":
		return "the date " + strictjson.Quote(n.Value)
	default:
		return "the text " + strictjson.Quote(n.Value)
	}
}

// scalarValue reads a scalar of a script as JSON. Spellings that readers take
// for different values are refused; the fault completes "the value …".
func scalarValue(n *yaml.Node) (v strictjson.Value, fault, hint string) {
	if isText(n) {
		return strictjson.OfString(n.Value), "", ""
	}
	switch n.Tag {
	case "!!null":
		if n.Value == "" {
			return v, "is missing", `write null for a null, or "" for an empty text; inside { } quote a text that holds a comma`
		}
		if n.Value == "null" || n.Value == "~" {
			return strictjson.OfNull(), "", ""
		}
		return v, "must be written null, got " + n.Value, "write null, or put it in quotes"
	case "!!bool":
		if b, ok := boolOf(n); ok {
			return strictjson.OfBool(b), "", ""
		}
		return v, "must be written true or false, got " + n.Value, boolHint(n)
	case "!!int", "!!float":
		return numberValue(n.Value)
	case "!!timestamp":
		return v, "would be a date in some YAML readers and a text in others", textHint(n)
	default:
		return v, "is of no type that JSON has", "put it in quotes"
	}
}

// numberValue reads a number that JSON spells the same and can carry exactly.
func numberValue(s string) (v strictjson.Value, fault, hint string) {
	v, err := strictjson.Parse([]byte(s))
	if err == nil {
		return v, "", ""
	}
	if err.Code == strictjson.JSONNumberInexact {
		return v, fmt.Sprintf("cannot be carried by JSON: %s", err.Message), "write it with {raw: …}, or as a text"
	}
	return v, fmt.Sprintf("is a number that JSON does not spell so: %s", strictjson.Quote(s)),
		"write decimal digits without sign, leading zero or _, or put it in quotes for a text"
}
