package cli

import (
	"errors"
	"io"

	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/term"
)

// apiVersion marks every document the program writes.
const apiVersion = "harness/v1"

// printJSON writes one document to standard output.
func (s *session) printJSON(document any) error {
	return report.EncodeJSON(s.out, document)
}

// diagnose prints diagnostics in the format of the session.
func (s *session) diagnose(w io.Writer, found diag.List) error {
	if len(found) == 0 {
		return nil
	}
	if s.set.Format == Text {
		return report.WriteDiagnostics(term.NewStream(w, s.set.look()), found)
	}
	return report.EncodeJSON(w, report.DiagnosticsDocument(found))
}

// writeFailed codes an error of writing; nil stays nil.
func writeFailed(target string, err error) error {
	if err == nil {
		return nil
	}
	return diag.List{{File: target, Code: WriteFailed, Message: plain(err)}}
}

// plain is what the system said, without what was tried.
func plain(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
