package strictjson

import (
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// AppendCanonical appends the RFC 8785 encoding of v: no spaces, members sorted
// by the UTF-16 code units of their names, ECMAScript numbers, and only the
// escapes that JSON requires. An unset value is written as null. The output is
// valid UTF-8 whatever v holds; see [AppendString].
func AppendCanonical(dst []byte, v Value) []byte {
	switch v.kind {
	case Bool, Number:
		return append(dst, v.text...)
	case String:
		return AppendString(dst, v.text)
	case Array:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendCanonical(dst, item)
		}
		return append(dst, ']')
	case Object:
		return appendObject(dst, v.Members())
	default:
		return append(dst, "null"...)
	}
}

func appendObject(dst []byte, members []Member) []byte {
	dst = append(dst, '{')
	if slices.IsSortedFunc(members, byName) {
		for i := range members {
			dst = appendMember(dst, i, &members[i])
		}
		return append(dst, '}')
	}
	var few [16]int32
	for n, i := range canonicalOrder(few[:0], members) {
		dst = appendMember(dst, n, &members[i])
	}
	return append(dst, '}')
}

// appendMember appends the n-th member written.
func appendMember(dst []byte, n int, m *Member) []byte {
	if n > 0 {
		dst = append(dst, ',')
	}
	dst = append(AppendString(dst, m.Name), ':')
	return AppendCanonical(dst, m.Value)
}

func byName(a, b Member) int { return compareNames(a.Name, b.Name) }

// canonicalOrder appends the indexes of members in the order of their names.
func canonicalOrder(order []int32, members []Member) []int32 {
	order = slices.Grow(order, len(members))
	for i := range members {
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(compareNames(members[a].Name, members[b].Name), cmp.Compare(a, b))
	})
	return order
}

// compareNames orders as UTF-16 code units do. That is the order of the UTF-8
// bytes, except that code points from U+10000 (first byte F0 to F4) are written
// as surrogates and so come before U+E000 to U+FFFF (first byte EE or EF).
func compareNames(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return cmp.Compare(utf16Rank(a[i]), utf16Rank(b[i]))
		}
	}
	return cmp.Compare(len(a), len(b))
}

func utf16Rank(b byte) int {
	if b == 0xEE || b == 0xEF {
		return 0x100 + int(b)
	}
	return int(b)
}

// AppendString appends s as one canonical JSON string, quotes included. Each byte
// that is not part of valid UTF-8 is written as U+FFFD.
func AppendString(dst []byte, s string) []byte {
	if len(s) <= shortText && plainASCII(s) {
		dst = append(append(dst, '"'), s...)
		return append(dst, '"')
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	dst = append(dst, '"')
	for i := 0; ; i++ {
		end := plainEnd(s, i)
		dst = append(dst, s[i:end]...)
		if end == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[end])
		i = end
	}
}

// shortText is up to where one look for plain ASCII pays: most strings are names
// and hashes.
const shortText = 80

// plainASCII reports whether s is ASCII and stands for itself in a JSON string.
func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func appendEscape(dst []byte, c byte) []byte {
	if short := shortEscape(c); short != 0 {
		return append(dst, '\\', short)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
}

// shortEscape is the letter of a two-character escape, 0 if c has none.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	default:
		return 0
	}
}

// CanonicalSize is the length of v's canonical encoding in code points. Nothing
// is built to find it.
func CanonicalSize(v Value) int {
	switch v.kind {
	case Bool, Number:
		return len(v.text)
	case String:
		return StringSize(v.text)
	case Array:
		items := v.Items()
		size := len("[]") + max(0, len(items)-1)
		for _, item := range items {
			size += CanonicalSize(item)
		}
		return size
	case Object:
		members := v.Members()
		size := len("{}") + max(0, len(members)-1)
		for _, m := range members {
			size += StringSize(m.Name) + len(":") + CanonicalSize(m.Value)
		}
		return size
	default:
		return len("null")
	}
}

// StringSize is the length in code points of s as a canonical JSON string,
// quotes included.
func StringSize(s string) int {
	size := len(`""`) + utf8.RuneCountInString(s)
	for i := plainEnd(s, 0); i < len(s); i = plainEnd(s, i+1) {
		size += escapeSize(s[i]) - 1
	}
	return size
}

// Runes is the number of code points of valid UTF-8. Most of what is encoded is
// ASCII, which is counted eight bytes at a time.
func Runes(b []byte) int {
	const tops = 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if binary.LittleEndian.Uint64(b[i:])&tops != 0 {
			break
		}
	}
	return i + utf8.RuneCount(b[i:])
}

// FitString is the largest n, on a code point boundary, for which
// StringSize(s[:n]) <= limit; 0 if not even one code point fits. It looks at no
// more of s than fits.
func FitString(s string, limit int) int {
	size := len(`""`)
	if len(s)*len(`\u0000`)+size <= limit { // fits, whatever it is
		return len(s)
	}
	for i, r := range s {
		switch {
		case r >= 0x20 && r != '"' && r != '\\':
			size++
		default:
			size += escapeSize(byte(r))
		}
		if size > limit {
			return i
		}
	}
	return len(s)
}

// escapeSize is the length of the escape of c, which cannot stand for itself.
func escapeSize(c byte) int {
	if shortEscape(c) != 0 {
		return len(`\n`)
	}
	return len(`\u0000`)
}
