package cli

import "harness/internal/diag"

// The codes of the command line.
var (
	Usage = &diag.Code{
		Name: "USAGE", Class: diag.Input,
		Means: "The command was called in a way it does not know: too many or too few arguments, or flags that do not go together.",
		Do:    "Follow the hint; `harness help COMMAND` shows how it is called.",
	}
	UnknownCommand = &diag.Code{
		Name: "UNKNOWN_COMMAND", Class: diag.Input,
		Means: "There is no command of that name.",
		Do:    "`harness help` lists the commands.",
	}
	UnknownFlag = &diag.Code{
		Name: "UNKNOWN_FLAG", Class: diag.Input,
		Means: "The command has no flag of that name. Unknown flags are never passed over.",
		Do:    "`harness help COMMAND` lists the command's flags.",
	}
	InvalidFlag = &diag.Code{
		Name: "INVALID_FLAG", Class: diag.Input,
		Means: "A flag has no value, or one that it does not take.",
		Do:    "Give one of the values in the hint.",
	}
	InvalidSetting = &diag.Code{
		Name: "INVALID_SETTING", Class: diag.Input,
		Means: "An environment variable or a key of harness.yaml has a value that the setting does not take.",
		Do:    "Give one of the values in the hint; `harness config` shows every setting and where its value comes from.",
	}
	SettingsUnreadable = &diag.Code{
		Name: "SETTINGS_UNREADABLE", Class: diag.Input,
		Means: "The working directory has a harness.yaml that cannot be read, is no regular file, or is larger than 1 MiB.",
		Do:    "Make it a readable file, or remove it.",
	}
	FormatUnavailable = &diag.Code{
		Name: "FORMAT_UNAVAILABLE", Class: diag.Input,
		Means: "The format jsonl prints a line for each event or case, and this command has none.",
		Do:    "Use --format json, or one of workflow, boundaries, run and test.",
	}
	UnknownName = &diag.Code{
		Name: "UNKNOWN_NAME", Class: diag.Input,
		Means: "There is no scenario, code, gate, schema, shell or topic of that name.",
		Do:    "Take a name from the list that the hint tells how to print.",
	}
	InputUnreadable = &diag.Code{
		Name: "INPUT_UNREADABLE", Class: diag.Input,
		Means: "Standard input could not be read, or holds more than the program takes.",
		Do:    "Give the input as an argument or a file, and keep it below the limit named.",
	}
	MemoryUnreadable = &diag.Code{
		Name: "MEMORY_UNREADABLE", Class: diag.Input,
		Means: "What the last test of this folder came to cannot be read, so there is nothing to choose by.",
		Do:    "Run the test once without --rerun.",
	}
	FileExists = &diag.Code{
		Name: "FILE_EXISTS", Class: diag.Input,
		Means: "The file to be written exists already, and nothing is overwritten unasked.",
		Do:    "Choose another name, or give --force.",
	}
	WriteFailed = &diag.Code{
		Name: "WRITE_FAILED", Class: diag.Stop,
		Means: "Output could not be written in full: a full disk, a closed pipe, a folder without permission.",
		Do:    "Make room or give another target, and run the command again.",
	}
	Interrupted = &diag.Code{
		Name: "INTERRUPTED", Class: diag.Stop,
		Means: "A signal ended the program before it was done. Nothing was changed; output may be incomplete.",
		Do:    "Run the command again.",
	}
	InternalError = &diag.Code{
		Name: "INTERNAL_ERROR", Class: diag.Stop,
		Means: "The program broke one of its own rules. What it printed before cannot be relied upon.",
		Do:    "Report it with the command and the files it was given.",
	}
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code {
	return []*diag.Code{
		Usage, UnknownCommand, UnknownFlag, InvalidFlag, InvalidSetting, SettingsUnreadable,
		FormatUnavailable, UnknownName, InputUnreadable, MemoryUnreadable, FileExists,
		WriteFailed, Interrupted, InternalError,
	}
}
