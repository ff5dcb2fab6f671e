package explore

// The ids of what must be true of any run.
const (
	decision   = "decision"
	arguments  = "arguments"
	rights     = "rights"
	hidden     = "hidden"
	reading    = "reading"
	editing    = "editing"
	answering  = "answering"
	budget     = "budget"
	effects    = "effects"
	approving  = "approving"
	repository = "repository"
	citing     = "citing"
	ending     = "ending"
	loop       = "loop"
	crashing   = "crashing"
)

// Oracle is something that must be true of any run.
type Oracle struct{ ID, Means string }

// Oracles lists what is asked of every step, whatever the scenario.
func Oracles() []Oracle {
	return []Oracle{
		{decision, "No call starts without a decision right before it that allows it, and nothing is read or proposed without a call."},
		{arguments, "The arguments of a call fit its tool's schema, and its paths and cursors have their one form."},
		{rights, "A call's resources are allowed by a rule, or by a grant that holds now and is not used up; a tool that was redefined is not called."},
		{hidden, "No line of a file that may not be read stands in anything the model is told."},
		{reading, "What a read or a search shows stands so in the file as it is, is text, and is what was asked for."},
		{editing, "An accepted edit names a hash that a read of this path returned and the file still has; its text stands there once, overlaps counted, was shown if that is demanded, changes something and puts no NUL there; a file has one edit."},
		{answering, "A tool of the repository answers or refuses, and never fails; an answer of a declared tool fits its schema and its size, and what it promises is true."},
		{budget, "No budget is exceeded: steps, calls, refusals, cost, output, calls of a tool, its rate, the deadline."},
		{effects, "An action id has at most one effect, which a call has made, and one set of arguments; one that is in doubt ends the run as failed, with a handoff."},
		{approving, "A call that needs a person has an approval of this very command, in time and used once; nobody is asked about what cannot be looked at."},
		{repository, "The repository is what the scenario and its changes make it."},
		{citing, "Every citation of an accepted finish names an observation of a succeeded call."},
		{ending, "A run follows the state diagram, ends for a reason, and stays as it ended; a good end comes of an accepted finish, a refusal ends a run that it has to end."},
		{loop, "A run in which the same was said and answered as often as allowed does not go on."},
		{crashing, "Nothing that is said, answered or ordered breaks the program."},
	}
}
