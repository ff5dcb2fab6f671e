package scenarios

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"harness/internal/diag"
)

// MaxSize is the most bytes that a file may have.
const MaxSize = 16 << 20

const byteOrderMark = "\uFEFF"

// checkText looks at the raw bytes before they are read as YAML. It is false if
// reading them would change them silently, or fail without a place.
func checkText(data []byte, found *findings) bool {
	if len(data) > MaxSize {
		found.add(diag.Pos{Line: 1, Col: 1}, YAMLTooLarge,
			fmt.Sprintf("the file has %d bytes; at most %d are read", len(data), MaxSize), "split the file")
		return false
	}
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		found.add(diag.Pos{Line: 1, Col: 1}, BOMDropped, "the file starts with a byte order mark, which is left out", "")
		data = data[len(byteOrderMark):]
	}
	if encoding := otherEncoding(data); encoding != "" {
		found.add(diag.Pos{Line: 1, Col: 1}, YAMLUnsupportedText, "the file is "+encoding+", not UTF-8", "save it as UTF-8")
		return false
	}
	t := textCheck{data: data, found: found, line: 1, column: 1, clean: true}
	t.run()
	return t.clean
}

// otherEncoding recognises the byte order marks that a YAML reader would follow.
func otherEncoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xFF\xFE")):
		return "UTF-16, little end first"
	case bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return "UTF-16, big end first"
	default:
		return ""
	}
}

// textCheck goes through the bytes once.
type textCheck struct {
	data  []byte
	found *findings
	line  int // of the byte looked at
	// column is that of the byte at offset counted, which is on the line.
	counted, column int
	crlf            bool
	clean           bool
}

func (t *textCheck) run() {
	for i := 0; i < len(t.data); {
		switch c := t.data[i]; {
		case c >= ' ' && c < 0x7F || c == '\t':
			i++
		case c == '\n':
			i++
			t.line, t.counted, t.column = t.line+1, i, 1
		case c == '\r' && i+1 < len(t.data) && t.data[i+1] == '\n':
			t.noteCRLF(i)
			i++
		default:
			i += t.character(i)
		}
	}
}

// character looks at the character at offset i, which is no plain ASCII, and
// gives its size.
func (t *textCheck) character(i int) int {
	r, size := utf8.DecodeRune(t.data[i:])
	if !supported(r, size) {
		t.clean = false
		if t.found.full() {
			t.found.skip()
			return size
		}
		message, hint := unsupported(r, size, t.data[i])
		t.found.add(t.pos(i), YAMLUnsupportedText, message, hint)
	}
	return size
}

// pos is the place of the byte at offset i, which is on the current line.
func (t *textCheck) pos(i int) diag.Pos {
	t.column += utf8.RuneCount(t.data[t.counted:i])
	t.counted = i
	return diag.Pos{Line: t.line, Col: t.column}
}

func (t *textCheck) noteCRLF(i int) {
	if !t.crlf {
		t.crlf = true
		t.found.add(t.pos(i), CRLFRead, "lines end in CR LF, which values hold as LF", `where a value needs CR LF, write "\r\n" in double quotes`)
	}
}

// supported reports whether a character may stand in a YAML file.
func supported(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size == 1, r == '\r', r == 0x2028, r == 0x2029, r == 0xFFFE, r == 0xFFFF:
		return false
	default:
		return r >= 0xA0
	}
}

// unsupported says what is wrong with a character that is not supported.
func unsupported(r rune, size int, first byte) (message, hint string) {
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("the byte 0x%02X is not valid UTF-8", first), "save the file as UTF-8, or give the value in its Base64 form"
	case r == '\r':
		return "a lone carriage return would be read as a line break", `write "\r" in double quotes`
	case r == 0x85:
		return "U+0085 (next line) would be read as a line break", `write "\x85" in double quotes`
	case r == 0x2028 || r == 0x2029:
		return fmt.Sprintf("U+%04X (line or paragraph separator) would be read as a line break", r), fmt.Sprintf(`write "\u%04X" in double quotes`, r)
	case r < 0xA0:
		return fmt.Sprintf("the control character U+%04X may not stand in a YAML file", r), fmt.Sprintf(`write "\x%02X" in double quotes`, r)
	default:
		return fmt.Sprintf("U+%04X may not stand in a YAML file", r), fmt.Sprintf(`write "\u%04X" in double quotes`, r)
	}
}
