package repotools

import "harness/internal/diag"

// The codes of the repository tools.
var (
	InvalidPath = &diag.Code{
		Name: "INVALID_PATH", Class: diag.Rejection, Gate: diag.Semantic, Retry: diag.NewRequest,
		Means: "The path is not canonical: relative, `/` between segments, no `..`, `.` or empty segment, no control character, no `\\` or `:`, no trailing dot or space, no `.git`.",
		Do:    "Write the path as search and read return it, for example src/sum.ts.",
	}
	BadRange = &diag.Code{
		Name: "BAD_RANGE", Class: diag.Rejection, Gate: diag.Semantic, Retry: diag.NewRequest,
		Means: "The lines asked for end before they start.",
		Do:    "Ask for startLine <= endLine; lines count from 1.",
	}
	BadCursor = &diag.Code{
		Name: "BAD_CURSOR", Class: diag.Rejection, Gate: diag.Semantic, Retry: diag.NewRequest,
		Means: "The cursor is none that this tool returned, or stands beside an argument it replaces.",
		Do:    "Send a cursor back exactly as it came, without startLine.",
	}
	BadHash = &diag.Code{
		Name: "BAD_HASH", Class: diag.Rejection, Gate: diag.Semantic, Retry: diag.NewRequest,
		Means: "baseHash is not 64 lowercase hexadecimal digits, so it can be no SHA-256.",
		Do:    "Copy baseHash from the observation of the read.",
	}
	EmptyTarget = &diag.Code{
		Name: "EMPTY_TARGET", Class: diag.Rejection, Gate: diag.Semantic, Retry: diag.NewRequest,
		Means: "before is empty. An empty text occurs everywhere, and never means the whole file.",
		Do:    "Name the text to replace. To insert, put text of the file that stands beside the place into before, and again into after. An empty file holds no text to name, so it cannot be edited.",
	}
	ControlCharacter = &diag.Code{
		Name: "CONTROL_CHARACTER", Class: diag.Rejection, Gate: diag.Semantic, Retry: diag.NewRequest,
		Means: "after holds a NUL, which would turn the file into a binary one.",
		Do:    "Write the character as the language's own escape sequence.",
	}
	PathNotReadable = &diag.Code{
		Name: "PATH_NOT_READABLE", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "The rules do not let this run read the path. Whether such a file exists is not said.",
		Do:    "Work with the paths of the task; only the scenario can grant more.",
	}
	PathNotEditable = &diag.Code{
		Name: "PATH_NOT_EDITABLE", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "The rules do not let this run propose an edit of the path. A right to read it is no right to edit it.",
		Do:    "Propose edits for the paths that the task lists under edit.",
	}
	ReadRequired = &diag.Code{
		Name: "READ_REQUIRED", Class: diag.Rejection, Gate: diag.Guard, Retry: diag.AfterRead,
		Means: "No read in this run returned this baseHash for this path, so the proposal rests on nothing the run has seen.",
		Do:    "Read the file, then propose with the baseHash the read returned.",
	}
	EditExists = &diag.Code{
		Name: "EDIT_EXISTS", Class: diag.Rejection, Gate: diag.Guard, Retry: diag.Never,
		Means: "The run already has an accepted edit of this file. A second would rest on a version that the first leaves behind.",
		Do:    "Put everything into one replacement, or leave the rest to a later run.",
	}
	StaleBase = &diag.Code{
		Name: "STALE_BASE", Class: diag.Rejection, Gate: diag.Guard, Retry: diag.AfterRead,
		Means: "The file was read with this hash but has changed since.",
		Do:    "Read it again, look at what changed, and propose anew.",
	}
	FileNotFound = &diag.Code{
		Name: "FILE_NOT_FOUND", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.NewRequest,
		Means: "The path may be read, but the repository has no such file now.",
		Do:    "Search for the file, or check the spelling and letter case.",
	}
	BinaryFile = &diag.Code{
		Name: "BINARY_FILE", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.Never,
		Means: "The file holds a NUL byte, so it is not text; the whole file is looked at, not a sample.",
		Do:    "Leave the file alone; only text can be read and edited.",
	}
	NotUTF8 = &diag.Code{
		Name: "NOT_UTF8", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.Never,
		Means: "The file is text in another encoding than UTF-8. Showing it would mean to guess, and an edit would damage it.",
		Do:    "Convert the file to UTF-8 outside the run.",
	}
	UnsupportedEncoding = &diag.Code{
		Name: "UNSUPPORTED_ENCODING", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.Never,
		Means: "The file is UTF-16 text.",
		Do:    "Convert the file to UTF-8 outside the run.",
	}
	LineOutOfRange = &diag.Code{
		Name: "LINE_OUT_OF_RANGE", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.NewRequest,
		Means: "startLine lies behind the file's last line.",
		Do:    "Ask for lines up to totalLines.",
	}
	CursorStale = &diag.Code{
		Name: "CURSOR_STALE", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.NewRequest,
		Means: "The file has changed since the read that returned the cursor.",
		Do:    "Read the file again from its start or by lines.",
	}
	TargetNotFound = &diag.Code{
		Name: "TARGET_NOT_FOUND", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.NewRequest,
		Means: "before does not occur in the file, byte for byte. Nothing is matched loosely.",
		Do:    "Copy before from what read has shown; the hint names the nearest difference.",
	}
	TargetNotUnique = &diag.Code{
		Name: "TARGET_NOT_UNIQUE", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.NewRequest,
		Means: "before occurs more than once, overlapping places counted, so the request names no one place.",
		Do:    "Lengthen before with neighbouring text until it occurs once.",
	}
	TargetNotShown = &diag.Code{
		Name: "TARGET_NOT_SHOWN", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.AfterRead,
		Means: "before occurs once, but in text that no read of this version has shown; the proposal is a guess.",
		Do:    "Read what the hint names: the target's lines, or on from the cursor of a read that was cut.",
	}
	NoChange = &diag.Code{
		Name: "NO_CHANGE", Class: diag.Rejection, Gate: diag.Execute, Retry: diag.NewRequest,
		Means: "before and after are equal, so the edit would change nothing. The file's one edit is not used up.",
		Do:    "Propose a real change, or finish.",
	}
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code {
	return []*diag.Code{
		InvalidPath, BadRange, BadCursor, BadHash, EmptyTarget, ControlCharacter,
		PathNotReadable, PathNotEditable,
		ReadRequired, EditExists, StaleBase,
		FileNotFound, BinaryFile, NotUTF8, UnsupportedEncoding, LineOutOfRange, CursorStale,
		TargetNotFound, TargetNotUnique, TargetNotShown, NoChange,
	}
}
