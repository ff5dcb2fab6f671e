package tools

import "harness/internal/diag"

// Codes lists the codes this package defines.
func Codes() []*diag.Code { return []*diag.Code{FinalCitationValidationFailed} }
