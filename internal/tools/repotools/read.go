package repotools

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

//go:embed read.md
var readText string

type read struct{ contract tools.Contract }

func newRead(l tools.Limits) *read {
	return &read{tools.Contract{
		Name: "read", Version: "1", Purpose: purpose(readText),
		Capability: CapRead, Denied: PathNotReadable, SideEffect: tools.ReadOnly,
		Input: tools.Fields{
			pathField(l),
			{Name: "startLine", Type: strictjson.Number, Min: 1},
			{Name: "endLine", Type: strictjson.Number, Min: 1},
			{Name: "cursor", Type: strictjson.String, Min: 1, Max: 40},
		},
		Output: []string{"path", "baseHash", "content", "startLine", "endLine", "totalLines", "truncated", "cursor", "eol", "bom"},
	}}
}

// readCall is a read with its cursor taken apart.
type readCall struct {
	path       string
	start, end int // lines, 0 if not given
	cursor     string
	offset     int    // of the cursor, in bytes
	hashHead   string // of the cursor: the first digits of the file's hash
	cursorOK   bool
}

// cursorHash is how many digits of the hash a cursor carries.
const cursorHash = 12

func (r *read) Contract() *tools.Contract { return &r.contract }

func (r *read) Bind(call *tools.Call) {
	args := call.Args
	c := &readCall{
		path: text(args, "path"), cursor: text(args, "cursor"),
		start: number(args, "startLine"), end: number(args, "endLine"), cursorOK: true,
	}
	if c.cursor != "" {
		c.offset, c.hashHead, c.cursorOK = parseReadCursor(c.cursor)
	}
	call.Bound, call.Resource = c, c.path
}

// Checks of read. A file that may be read but is no UTF-8 text is refused with
// the kind of file it is; nothing is decoded on a guess.
func (r *read) Checks() []tools.Check {
	return []tools.Check{
		pathCheck("read.path", func(c *tools.Call) string { return c.Bound.(*readCall).path }),
		{ID: "read.range", Gate: diag.Semantic, Code: BadRange, Decide: rangeOrdered},
		{ID: "read.cursor", Gate: diag.Semantic, Code: BadCursor, Decide: readCursorShape},
		{ID: "read.exists", Gate: diag.Execute, Code: FileNotFound, Decide: fileExists},
		{ID: "read.utf16", Gate: diag.Execute, Code: UnsupportedEncoding, Decide: encodingIsNot(vrepo.UTF16LE, vrepo.UTF16BE)},
		{ID: "read.binary", Gate: diag.Execute, Code: BinaryFile, Decide: encodingIsNot(vrepo.Binary)},
		{ID: "read.utf8", Gate: diag.Execute, Code: NotUTF8, Decide: encodingIsNot(vrepo.NotUTF8)},
		{ID: "read.cursor_current", Gate: diag.Execute, Code: CursorStale, Decide: cursorCurrent},
		{ID: "read.in_range", Gate: diag.Execute, Code: LineOutOfRange, Decide: startInFile},
	}
}

func rangeOrdered(call *tools.Call, _ *tools.View) *tools.Fault {
	c := call.Bound.(*readCall)
	if c.end == 0 || c.start <= c.end {
		return nil
	}
	return &tools.Fault{Message: fmt.Sprintf("startLine %d is behind endLine %d", c.start, c.end)}
}

func readCursorShape(call *tools.Call, _ *tools.View) *tools.Fault {
	c := call.Bound.(*readCall)
	switch {
	case !c.cursorOK:
		return &tools.Fault{Message: "the cursor is none that read returned"}
	case c.cursor != "" && c.start > 0:
		return &tools.Fault{Message: "cursor and startLine both say where to start; send one of them"}
	default:
		return nil
	}
}

func fileExists(call *tools.Call, view *tools.View) *tools.Fault {
	path := call.Bound.(*readCall).path
	if _, ok := view.Snapshot.File(path); ok {
		return nil
	}
	fault := &tools.Fault{Message: "the repository has no file at this path"}
	// A path that may not be read is not told of, however near it is.
	if twin, ok := view.Snapshot.Twin(path); ok && view.Allowed(CapRead, twin.Path()) {
		asked, there, difference := vrepo.Apart(path, twin.Path())
		fault.Hint = fmt.Sprintf("the repository has %s, from which %s differs in %s alone", there, asked, difference)
	}
	return fault
}

func encodingIsNot(encodings ...vrepo.Encoding) func(*tools.Call, *tools.View) *tools.Fault {
	return func(call *tools.Call, view *tools.View) *tools.Fault {
		f, ok := view.Snapshot.File(call.Bound.(*readCall).path)
		if !ok {
			return nil
		}
		for _, e := range encodings {
			if f.Encoding() == e {
				return &tools.Fault{
					Message: notText(f),
					Details: []strictjson.Member{textMember("encoding", e.String()), numberMember("offset", f.FirstBad())},
				}
			}
		}
		return nil
	}
}

// notText says why a file is no UTF-8 text.
func notText(f *vrepo.File) string {
	at := f.FirstBad()
	switch f.Encoding() {
	case vrepo.Binary:
		return fmt.Sprintf("the file is binary: it has a NUL at byte offset %d", at)
	case vrepo.UTF16LE:
		return "the file is UTF-16 text, little end first, by the byte order mark FF FE at its start; only UTF-8 is read"
	case vrepo.UTF16BE:
		return "the file is UTF-16 text, big end first, by the byte order mark FE FF at its start; only UTF-8 is read"
	default:
		return fmt.Sprintf("the file is not UTF-8: the byte %02X at byte offset %d, in line %d, is not valid there", f.Text()[at], at, f.LineAt(at))
	}
}

func cursorCurrent(call *tools.Call, view *tools.View) *tools.Fault {
	c := call.Bound.(*readCall)
	if c.cursor == "" {
		return nil
	}
	f, ok := view.Snapshot.File(c.path)
	if !ok || strings.HasPrefix(f.Hash(), c.hashHead) {
		return nil
	}
	return &tools.Fault{Message: "the cursor belongs to another version of the file"}
}

func startInFile(call *tools.Call, view *tools.View) *tools.Fault {
	c := call.Bound.(*readCall)
	f, ok := view.Snapshot.File(c.path)
	if !ok {
		return nil
	}
	if _, ok := c.slice(f, view.Limits.Content); ok {
		return nil
	}
	return &tools.Fault{
		Message: fmt.Sprintf("the file ends at line %d", f.Lines()),
		Details: []strictjson.Member{numberMember("totalLines", f.Lines())},
	}
}

// slice is the part of the file that the call asks for.
func (c *readCall) slice(f *vrepo.File, maxRunes int) (vrepo.Slice, bool) {
	if c.cursor != "" {
		return f.SliceAt(c.offset, c.end, maxRunes)
	}
	return f.Slice(max(c.start, 1), c.end, maxRunes)
}

func (r *read) Execute(call *tools.Call, view *tools.View) tools.Outcome {
	c := call.Bound.(*readCall)
	f, found := view.Snapshot.File(c.path)
	if !found {
		return tools.Outcome{}
	}
	part, _ := c.slice(f, view.Limits.Content)
	part, shown := fitted(f, part, view.Limits.Observation)
	outcome := succeeded(event.UntrustedFile, shown)
	outcome.Read = &event.Read{Path: c.path, Hash: f.Hash(), From: part.From, To: part.To}
	return outcome
}

// fitted is the observation of a part of a file, and what of the part it has
// room for. Text grows when it is encoded, so the cut is measured on the encoded
// form.
func fitted(f *vrepo.File, part vrepo.Slice, limit int) (vrepo.Slice, []byte) {
	if whole := readContent(f, part); fits(whole, limit) {
		return part, whole
	}
	content := f.Text()[part.From:part.To]
	empty := part
	empty.To, empty.Truncated = empty.From, true
	// The cursor may become a few digits longer than that of the empty part.
	frame := strictjson.Runes(readContent(f, empty)) - len(`""`) + 10
	part.To = part.From + strictjson.FitString(content, limit-frame)
	part.Truncated = true
	part.EndLine = part.StartLine
	if part.To > part.From {
		part.EndLine = f.LineAt(part.To - 1)
	}
	return part, readContent(f, part)
}

// readContent is the observation of one part of a file.
func readContent(f *vrepo.File, part vrepo.Slice) []byte {
	shown := f.Text()[part.From:part.To]
	b := append(make([]byte, 0, len(shown)+320), '{')
	b = strictjson.AppendText(b, "baseHash", f.Hash())
	b = strictjson.AppendBool(b, "bom", f.BOM())
	b = strictjson.AppendText(b, "content", shown)
	if part.Truncated {
		b = strictjson.AppendText(b, "cursor", readCursor(f, part.To))
	}
	b = strictjson.AppendInt(b, "endLine", part.EndLine)
	b = strictjson.AppendText(b, "eol", f.EOL())
	b = strictjson.AppendText(b, "path", f.Path())
	b = strictjson.AppendInt(b, "startLine", part.StartLine)
	b = strictjson.AppendInt(b, "totalLines", part.TotalLines)
	return append(strictjson.AppendBool(b, "truncated", part.Truncated), '}')
}

// readCursor names the place at an offset of this version of a file.
func readCursor(f *vrepo.File, offset int) string {
	return strconv.Itoa(offset) + "@" + f.Hash()[:cursorHash]
}

// parseReadCursor reads "offset@hash", the place behind the last byte shown.
func parseReadCursor(cursor string) (offset int, hash string, ok bool) {
	number, hash, found := strings.Cut(cursor, "@")
	offset, err := strconv.Atoi(number)
	ok = found && err == nil && offset >= 0 && strconv.Itoa(offset) == number && len(hash) == cursorHash && isHex(hash)
	return offset, hash, ok
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
