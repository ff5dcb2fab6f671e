package repotools

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

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

func (r *read) Bind(args strictjson.Value) (any, string) {
	c := &readCall{
		path: text(args, "path"), cursor: text(args, "cursor"),
		start: number(args, "startLine"), end: number(args, "endLine"), cursorOK: true,
	}
	if c.cursor != "" {
		c.offset, c.hashHead, c.cursorOK = parseReadCursor(c.cursor)
	}
	return c, c.path
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
	return &tools.Fault{Message: "the repository has no file at this path"}
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
					Message: fmt.Sprintf("the file is %s, not UTF-8 text; the first byte that shows it is at offset %d", e, f.FirstBad()),
					Details: []strictjson.Member{textMember("encoding", e.String()), numberMember("offset", f.FirstBad())},
				}
			}
		}
		return nil
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
	shown := readContent(f, part)
	if !fits(shown, view.Limits.Observation) {
		shown = shrink(f, &part, view.Limits.Observation)
	}
	outcome := succeeded(event.UntrustedFile, shown)
	outcome.Read = &event.Read{Path: c.path, Hash: f.Hash(), From: part.From, To: part.To}
	return outcome
}

// shrink shortens the part until its observation fits. Text grows when it is
// encoded, so the cut is measured on the encoded form.
func shrink(f *vrepo.File, part *vrepo.Slice, limit int) []byte {
	content := f.Text()[part.From:part.To]
	empty := *part
	empty.To, empty.Truncated = empty.From, true
	// The cursor may become a few digits longer than that of the empty part.
	frame := utf8.RuneCount(readContent(f, empty)) - len(`""`) + 10
	part.To = part.From + strictjson.FitString(content, limit-frame)
	part.Truncated = true
	part.EndLine = part.StartLine
	if part.To > part.From {
		part.EndLine = f.LineAt(part.To - 1)
	}
	return readContent(f, *part)
}

// readContent is the observation of one part of a file.
func readContent(f *vrepo.File, part vrepo.Slice) []byte {
	shown := f.Text()[part.From:part.To]
	b := append(make([]byte, 0, len(shown)+320), '{')
	b = strictjson.AppendText(b, "baseHash", f.Hash())
	b = strictjson.AppendBool(b, "bom", f.BOM())
	b = strictjson.AppendText(b, "content", shown)
	if part.Truncated {
		b = strictjson.AppendText(b, "cursor", strconv.Itoa(part.To)+"@"+f.Hash()[:cursorHash])
	}
	b = strictjson.AppendInt(b, "endLine", part.EndLine)
	b = strictjson.AppendText(b, "eol", f.EOL())
	b = strictjson.AppendText(b, "path", f.Path())
	b = strictjson.AppendInt(b, "startLine", part.StartLine)
	b = strictjson.AppendInt(b, "totalLines", part.TotalLines)
	return append(strictjson.AppendBool(b, "truncated", part.Truncated), '}')
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
