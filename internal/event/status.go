package event

// Status is the state of a run. The zero value is unset and invalid.
type Status uint8

// The statuses; those from NeedsReview on are terminal.
const (
	_ Status = iota
	Created
	Running
	WaitingConfirmation
	Paused
	Cancelling
	NeedsReview
	ClaimedComplete
	Completed
	Rejected
	Failed
	Cancelled
	statusEnd
)

var statuses = [...]string{
	Created:             "created",
	Running:             "running",
	WaitingConfirmation: "waiting_confirmation",
	Paused:              "paused",
	Cancelling:          "cancelling",
	NeedsReview:         "needs_review",
	ClaimedComplete:     "claimed_complete",
	Completed:           "completed",
	Rejected:            "rejected",
	Failed:              "failed",
	Cancelled:           "cancelled",
}

// Statuses lists every status.
func Statuses() []Status {
	all := make([]Status, 0, statusEnd-1)
	for s := Created; s < statusEnd; s++ {
		all = append(all, s)
	}
	return all
}

func (s Status) String() string {
	if s == 0 || s >= statusEnd {
		return "unset"
	}
	return statuses[s]
}

// MarshalText writes the status's name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Terminal reports whether a run in this state has ended.
func (s Status) Terminal() bool { return s >= NeedsReview && s < statusEnd }

// Good reports whether a run that ended so did what a run is for: it handed
// over edits, or claimed or proved its end.
func (s Status) Good() bool { return s == NeedsReview || s == ClaimedComplete || s == Completed }

// CanBecome reports whether the state diagram has an arrow from s to next.
func (s Status) CanBecome(next Status) bool {
	switch s {
	case Created:
		return next == Running
	case Running:
		return next == WaitingConfirmation || next == Paused || next == Cancelling || next.Terminal() && next != Cancelled
	case WaitingConfirmation:
		return next == Running || next == Cancelling
	case Paused:
		return next == Running || next == Cancelling
	case Cancelling:
		return next == Cancelled || next == Failed
	default:
		return false
	}
}

// Outcome is how a tool call ended. The zero value is unset and invalid.
type Outcome uint8

// The outcomes. Unknown means that nobody can say whether the effect happened.
const (
	_ Outcome = iota
	CallSucceeded
	CallRejected
	CallFailed
	CallUnknown
)

func (o Outcome) String() string {
	switch o {
	case CallSucceeded:
		return "succeeded"
	case CallRejected:
		return "rejected"
	case CallFailed:
		return "failed"
	case CallUnknown:
		return "unknown"
	default:
		return "unset"
	}
}

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Trust labels where an observation's content came from. The zero value is
// unset and invalid.
type Trust string

// The labels.
const (
	UntrustedFile         Trust = "untrusted_file"
	UntrustedSearchResult Trust = "untrusted_search_result"
	UntrustedContent      Trust = "untrusted_content"
	TrustedTool           Trust = "trusted_tool"
	FromPolicy            Trust = "policy"
)
