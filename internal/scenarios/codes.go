package scenarios

import (
	"slices"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
)

// The codes of faults in a file.
var (
	YAMLSyntax = &diag.Code{
		Name: "YAML_SYNTAX", Class: diag.Input,
		Means: "The file is not well-formed YAML. Nothing behind the place named was looked at, so more faults may follow.",
		Do:    "Correct the place named. Most often it is indentation, a missing quote or bracket, or a `: ` inside plain text, which needs quotes.",
	}
	YAMLUnsupportedText = &diag.Code{
		Name: "YAML_UNSUPPORTED_TEXT", Class: diag.Input,
		Means: "The file holds characters that YAML readers change silently or do not accept: invalid UTF-8, control characters, a lone carriage return, U+0085, U+2028 or U+2029. Nothing else was looked at.",
		Do:    "Write the character as an escape in double quotes, as the hint shows, or give the whole value in its Base64 form.",
	}
	YAMLUnsupportedFeature = &diag.Code{
		Name: "YAML_UNSUPPORTED_FEATURE", Class: diag.Input,
		Means: "The file uses a part of YAML that makes a value depend on another place: anchors and aliases, merge keys, tags other than !!str, directives, a second document.",
		Do:    "Write the value out where it is needed. For variations of one scenario there is `cases:`.",
	}
	YAMLTooLarge = &diag.Code{
		Name: "YAML_TOO_LARGE", Class: diag.Input,
		Means: "The file goes beyond a limit: 16 MiB, 100 levels of nesting, or the work that its patterns and cases ask for.",
		Do:    "Split the file.",
	}
	EmptyFile = &diag.Code{
		Name: "EMPTY_FILE", Class: diag.Input,
		Means: "The file holds no document: it is empty, or has only comments.",
		Do:    "Write a document, or remove the file; `harness new` makes one to start from.",
	}
	UnknownKey = &diag.Code{
		Name: "UNKNOWN_KEY", Class: diag.Input,
		Means: "A mapping holds a key that means nothing there. Unknown keys are never passed over: a misspelt one would weaken the scenario unseen.",
		Do:    "Correct the spelling or the indentation; the hint lists the keys.",
	}
	DuplicateYAMLKey = &diag.Code{
		Name: "DUPLICATE_YAML_KEY", Class: diag.Input,
		Means: "One mapping holds the same key twice. Readers disagree about which value counts, so neither does.",
		Do:    "Keep one of the two.",
	}
	WrongType = &diag.Code{
		Name: "WRONG_TYPE", Class: diag.Input,
		Means: "A value is of another type than the key takes. Nothing is converted: yes is no boolean, 12 is no text and \"12\" is no number.",
		Do:    "Write the value as the message says; text that looks like something else needs quotes.",
	}
	MissingKey = &diag.Code{
		Name: "MISSING_KEY", Class: diag.Input,
		Means: "A key that must be there is not. In a file with cases it may stand in the file or in every case.",
		Do:    "Add the key.",
	}
	InvalidValue = &diag.Code{
		Name: "INVALID_VALUE", Class: diag.Input,
		Means: "A value has the right type and is outside what the key allows.",
		Do:    "Choose a value that the message allows.",
	}
	BadReference = &diag.Code{
		Name: "BAD_REFERENCE", Class: diag.Input,
		Means: "A value names something that does not exist: a path that is not in the repository, a pattern that matches nothing, a code, or a field that no observation can have.",
		Do:    "Correct the name; the hint shows the nearest one.",
	}
	BadExpression = &diag.Code{
		Name: "BAD_EXPRESSION", Class: diag.Input,
		Means: "An expression cannot be read, names something that is not there, or gives a value of another type than the key takes. Expressions are checked when the file is loaded, against the declared types.",
		Do:    "Correct the expression at the place named; docs/expressions.md has the language, and each key says what it may use.",
	}
	BadSchema = &diag.Code{
		Name: "BAD_SCHEMA", Class: diag.Input,
		Means: "The input or output of a declared tool is no JSON Schema that can be used: a keyword is unknown or has the wrong type, or a reference leads nowhere.",
		Do:    "Correct the schema at the place named. Objects are closed unless they say additionalProperties.",
	}
	MoreFaults = &diag.Code{
		Name: "MORE_FAULTS", Class: diag.Input,
		Means: "The file has more faults than are listed.",
		Do:    "Correct those listed and look again.",
	}
)

// The notes about a file.
var (
	CRLFRead = &diag.Code{
		Name: "CRLF_READ_AS_LF", Class: diag.Note,
		Means: "The file's lines end in CR LF. In the values they are read as LF, as YAML asks for.",
		Do:    "Nothing, unless a value needs CR LF: write \"\\r\\n\" in double quotes, or its Base64 form.",
	}
	BOMDropped = &diag.Code{
		Name: "BOM_DROPPED", Class: diag.Note,
		Means: "The file starts with a byte order mark, which belongs to no value and was left out.",
		Do:    "Nothing; saving the file as UTF-8 without one removes the note.",
	}
	FoldedContent = &diag.Code{
		Name: "FOLDED_CONTENT", Class: diag.Note,
		Means: "A file's content is written as a folded block (`>`), which joins lines with spaces.",
		Do:    "Use a literal block (`|`) to keep the lines as they are.",
	}
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code {
	return []*diag.Code{
		YAMLSyntax, YAMLUnsupportedText, YAMLUnsupportedFeature, YAMLTooLarge, EmptyFile,
		UnknownKey, DuplicateYAMLKey, WrongType, MissingKey, InvalidValue, BadReference, BadExpression, BadSchema, MoreFaults,
		CRLFRead, BOMDropped, FoldedContent,
	}
}

// RunCodes lists the codes that a run can end with or a decision can have, apart
// from what scenarios declare.
func RunCodes() []*diag.Code {
	return slices.Concat(
		strictjson.Codes(), action.Codes(), policy.Codes(), tools.Codes(),
		repotools.Codes(), fixture.Codes(), machine.Codes(), model.Codes(),
	)
}
