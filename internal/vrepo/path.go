package vrepo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// PathFault is a reason why a path is not canonical.
type PathFault struct {
	// Reason completes the sentence "the path …", as in "has a `..` segment".
	Reason string
	// Hint says what to write instead; it may be empty.
	Hint string
}

// CheckPath returns nil for a canonical path: valid UTF-8, relative, segments
// parted by single `/`, none of them empty, `.`, `..`, `.git` in any spelling,
// or ended by a dot or space; no `\`, no `:`, no control character. Such a path
// means the same file on every system, and `git apply` accepts it.
func CheckPath(path string) *PathFault {
	if fault := checkCharacters(path); fault != nil {
		return fault
	}
	switch {
	case path[0] == '/':
		return &PathFault{"starts with `/`", relativeHint(path)}
	case path[len(path)-1] == '/':
		return &PathFault{"ends with `/`", "name a file: " + strings.TrimRight(path, "/")}
	}
	for segment := range strings.SplitSeq(path, "/") {
		if fault := checkSegment(segment); fault != nil {
			return fault
		}
	}
	return nil
}

// CheckName is [CheckPath] for a name that stands beside no other, so that no twin of it
// can be found: one spelling alone is canonical, in the normal form NFC and without
// characters that do not show.
func CheckName(name string) *PathFault {
	if fault := CheckPath(name); fault != nil {
		return fault
	}
	for _, r := range name {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return &PathFault{fmt.Sprintf("has U+%04X, which does not show", r), ""}
		}
	}
	if !norm.NFC.IsNormalString(name) {
		return &PathFault{"has another spelling in the Unicode normal form NFC", "write each letter as one character"}
	}
	return nil
}

func relativeHint(path string) string {
	if rest := strings.TrimLeft(path, "/"); rest != "" {
		return "paths are relative to the repository: write " + rest
	}
	return "name a file of the repository"
}

func checkCharacters(path string) *PathFault {
	if path == "" {
		return &PathFault{"is empty", "name a file of the repository"}
	}
	for i, r := range path {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(path[i:], string(utf8.RuneError)):
			return &PathFault{fmt.Sprintf("is not valid UTF-8 at byte %d", i), ""}
		case r == '\\':
			return &PathFault{"has a `\\`", "use / between folders"}
		case r == ':':
			return &PathFault{"has a `:`", "paths are relative to the repository and have no drive, scheme or stream"}
		case unicode.IsControl(r):
			return &PathFault{fmt.Sprintf("has the control character U+%04X", r), ""}
		}
	}
	return nil
}

func checkSegment(segment string) *PathFault {
	switch segment {
	case "":
		return &PathFault{"has an empty segment", "write one / between folders"}
	case ".":
		return &PathFault{"has a `.` segment", "leave it out"}
	case "..":
		return &PathFault{"has a `..` segment", "a path cannot leave the repository; write it from the top"}
	}
	switch segment[len(segment)-1] {
	case '.':
		return &PathFault{"has a segment that ends with a dot", "some systems drop a final dot, so another file could be meant"}
	case ' ':
		return &PathFault{"has a segment that ends with a space", "some systems drop a final space, so another file could be meant"}
	}
	if isGitFolder(segment) {
		return &PathFault{"has a `.git` segment", "git's own files are out of reach"}
	}
	return nil
}

// isGitFolder reports whether some system takes the segment for `.git`: letter
// case, characters that a file system ignores, and the short name git~1.
func isGitFolder(segment string) bool {
	if !isASCII(segment) {
		segment = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, segment)
	}
	return strings.EqualFold(segment, ".git") || strings.EqualFold(segment, "git~1")
}

// foldPath maps paths to one form that a file system may take for the same:
// decomposed, and each letter replaced by the least of its case variants.
func foldPath(path string) string {
	if isASCII(path) {
		return strings.ToLower(path)
	}
	folded := strings.Map(foldCase, norm.NFD.String(path))
	return norm.NFD.String(folded)
}

// foldsTo reports whether foldPath maps a path to folded.
func foldsTo(path, folded string) bool {
	if isASCII(path) {
		return len(path) == len(folded) && strings.EqualFold(path, folded)
	}
	return foldPath(path) == folded
}

// foldCase is the same rune for all case variants of a letter: its lowercase
// ASCII letter if it has one, else the least of them.
func foldCase(r rune) rune {
	least := r
	for v := unicode.SimpleFold(r); v != r; v = unicode.SimpleFold(v) {
		least = min(least, v)
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}

// Apart tells two paths apart that are the same to a file system that folds
// letter case and Unicode forms: it quotes both so that the difference shows, and
// names it ("letter case", "Unicode form").
func Apart(a, b string) (quotedA, quotedB, difference string) {
	switch {
	case strings.Map(foldCase, a) == strings.Map(foldCase, b):
		return quoteText(a), quoteText(b), "letter case"
	case norm.NFC.String(a) == norm.NFC.String(b):
		difference = "Unicode form"
	default:
		difference = "letter case and Unicode form"
	}
	quotedA, quotedB = spellApart(a, b)
	return quotedA, quotedB, difference
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
