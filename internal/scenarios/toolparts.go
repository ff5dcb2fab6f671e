package scenarios

// toolsFile is a file of kind Tools, to be included.
type toolsFile struct {
	part
	file       string          // as diagnostics write it
	APIVersion Text            `yaml:"apiVersion" means:"The version of this format."`
	Kind       Text            `yaml:"kind" means:"What the document is."`
	Tools      List[toolPart]  `yaml:"tools" means:"Tools that scenarios may use."`
	World      anyPart         `yaml:"world" means:"What lies outside the repository; the scenario's own collections come beside these, or in place of one of the same name."`
	Faults     List[faultPart] `yaml:"faults" means:"What goes wrong in single calls."`
}

type principalPart struct {
	part        `validate:"-"`
	ID          Text       `yaml:"id" validate:"omitnil,min=1" means:"Who it is; required."`
	Tenant      Text       `yaml:"tenant" validate:"omitnil,min=1" means:"The tenant they belong to."`
	Session     Text       `yaml:"session" validate:"-" means:"The session in which questions are asked; an answer from another counts for nothing."`
	Permissions List[Text] `yaml:"permissions" validate:"-" means:"What they may do, in the words of the tools' contracts."`
}

type grantPart struct {
	part       `validate:"-"`
	ID         Text     `yaml:"id" validate:"omitnil,min=1" means:"A name, to revoke it by; else grants[N]."`
	Capability Text     `yaml:"capability" validate:"required,min=1" means:"What it is about."`
	Resource   Text     `yaml:"resource" validate:"required,min=1" means:"The resource or glob that it covers."`
	UntilStep  Number   `yaml:"untilStep" validate:"omitnil,min=1,max=100000" means:"The last step at which it holds."`
	Calls      Number   `yaml:"calls" validate:"omitnil,max=100000" means:"Most calls that it is good for; every attempt counts."`
	Tenant     Text     `yaml:"tenant" validate:"omitnil,min=1" means:"The tenant that the principal must belong to."`
	When       exprPart `yaml:"when" validate:"-" means:"An expression over args and principal that must hold."`
}

type completionPart struct {
	part      `validate:"-"`
	Citations Number   `yaml:"citations" validate:"omitnil,max=32" means:"How many observations a finish has to cite at least." default:"0"`
	Verify    exprPart `yaml:"verify" validate:"-" means:"An expression over world, observations, summary, citations and edits that must hold."`
}

type toolPart struct {
	part         `validate:"-"`
	Name         Text                `yaml:"name" validate:"required,min=1" means:"The name a call uses: lower-case letters, digits and _."`
	Version      Text                `yaml:"version" validate:"omitnil,min=1" means:"The version of the contract." default:"1"`
	Purpose      Text                `yaml:"purpose" validate:"required,min=1" means:"What it is for; the model reads it."`
	NotFor       Text                `yaml:"notFor" validate:"-" means:"When not to use it; the model reads it."`
	Input        anyPart             `yaml:"input" validate:"required" means:"JSON Schema of the arguments. They are closed, and so is every object that names properties, unless additionalProperties is said."`
	Output       anyPart             `yaml:"output" validate:"required" means:"JSON Schema of the answer. An answer outside it is a fault of the tool."`
	Capability   Text                `yaml:"capability" validate:"required,min=1" means:"What a rule or a grant must allow, as in ticket:write."`
	Resource     exprPart            `yaml:"resource" validate:"-" means:"An expression over args and principal that names what a call is about; else the tool's name."`
	Needs        List[needPart]      `yaml:"needs" validate:"-" means:"Further capabilities that a call needs."`
	SideEffect   Text                `yaml:"sideEffect" validate:"required,oneof=read idempotent-write compensatable-write irreversible" means:"What a call changes outside. Only an idempotent write may be repeated after an unknown outcome."`
	Confirmation Text                `yaml:"confirmation" validate:"omitnil,oneof=never per-call per-run" means:"Whether a person is asked: for each command, or once a run for the tool, its definition and the resource." default:"never"`
	Permission   Text                `yaml:"permission" validate:"omitnil,min=1" means:"What the principal must be permitted."`
	Identity     List[identityPart]  `yaml:"identity" validate:"-" means:"Arguments that must be the principal's own."`
	Require      List[requirePart]   `yaml:"require" validate:"-" means:"Questions about the arguments, asked before any right is looked at."`
	ActionKey    exprPart            `yaml:"actionKey" validate:"-" means:"An expression over args and principal that names the business act: calls with one key are one act, which is done once."`
	Timeout      Span                `yaml:"timeout" validate:"-" means:"How long one attempt may take."`
	Retry        *retryPart          `yaml:"retry" validate:"-" means:"How failed attempts are repeated; without it they are not."`
	Cost         Number              `yaml:"cost" validate:"omitnil,max=1000000" means:"What one attempt reserves of budget.cost." default:"0"`
	Rate         *ratePart           `yaml:"rate" validate:"-" means:"How often it may be called in a time."`
	Calls        Number              `yaml:"calls" validate:"omitnil,min=1,max=100000" means:"How often it may be called in a run."`
	Sensitive    List[Text]          `yaml:"sensitive" validate:"-" means:"Arguments and fields of the answer that no report, trace or question may show."`
	Poll         Number              `yaml:"poll" validate:"omitnil,min=2,max=100000" means:"For a tool that is asked again and again: how often the same call may give the same answer."`
	Lookup       Flag                `yaml:"lookup" validate:"-" means:"Whether the receipt of an action can be looked up by its id." default:"false"`
	LookupTakes  Span                `yaml:"lookupTakes" validate:"-" means:"How long that takes."`
	Operands     exprPart            `yaml:"operands" validate:"-" means:"An expression over args, principal, call, action and world: what a call would touch. An approval is void once it has changed."`
	Touches      exprPart            `yaml:"touches" validate:"-" means:"An expression over the same that lists in words what else a call would touch, for the person who is asked."`
	Stops        Flag                `yaml:"stops" validate:"-" means:"Whether it stops when it is told to, before its effect." default:"true"`
	Trusted      Flag                `yaml:"trusted" validate:"-" means:"Whether the tool vouches for what it answers; else it is labelled untrusted content." default:"false"`
	Behaviour    List[behaviourPart] `yaml:"behaviour" validate:"required" means:"How it answers: the first that fits."`
	Ensures      exprPart            `yaml:"ensures" validate:"-" means:"The postcondition: an expression over args, principal, call, action, world and result, asked after an answer. Where it does not hold, the run fails."`
}

type needPart struct {
	part       `validate:"-"`
	Capability Text     `yaml:"capability" validate:"required,min=1" means:"What a rule or a grant must allow."`
	Resource   exprPart `yaml:"resource" validate:"required" means:"An expression over args and principal that names the resource."`
}

type identityPart struct {
	part     `validate:"-"`
	Argument Text `yaml:"argument" validate:"required,min=1" means:"The argument."`
	Is       Text `yaml:"is" validate:"omitnil,oneof=id tenant" means:"What of the principal it must be." default:"id"`
}

type requirePart struct {
	part    `validate:"-"`
	ID      Text     `yaml:"id" validate:"required,min=1" means:"A name for the check, in lower-case letters, digits and _."`
	That    exprPart `yaml:"that" validate:"required" means:"An expression over args and principal that must hold."`
	Code    Text     `yaml:"code" validate:"required,min=1" means:"The code of the refusal, in capitals: the scenario's own, or one that is known."`
	Message Text     `yaml:"message" validate:"required,min=1" means:"What the model is told."`
}

type retryPart struct {
	part     `validate:"-"`
	Attempts Number `yaml:"attempts" validate:"required,min=1,max=100" means:"Attempts in all."`
	Backoff  Span   `yaml:"backoff" validate:"-" means:"Time before the second attempt." default:"0s"`
	Factor   Number `yaml:"factor" validate:"omitnil,min=1,max=100" means:"By what the time grows from one attempt to the next." default:"1"`
}

type ratePart struct {
	part  `validate:"-"`
	Calls Number `yaml:"calls" validate:"required,min=1,max=100000" means:"Most calls."`
	Per   Span   `yaml:"per" validate:"required" means:"Within this time."`
}

type behaviourPart struct {
	part        `validate:"-"`
	When        exprPart     `yaml:"when" validate:"-" means:"An expression over args, principal, call, action and world; without it the behaviour always fits."`
	Takes       Span         `yaml:"takes" validate:"-" means:"Time until the answer." default:"0s"`
	EffectAfter Span         `yaml:"effectAfter" validate:"-" means:"Time until the effect; else it comes with the answer."`
	Insert      *writePart   `yaml:"insert" validate:"-" means:"Puts a new entry into a collection; one that is there already makes the call rejected."`
	Update      *writePart   `yaml:"update" validate:"-" means:"Replaces an entry that is there."`
	Put         *writePart   `yaml:"put" validate:"-" means:"Puts an entry, new or not."`
	Delete      *writePart   `yaml:"delete" validate:"-" means:"Takes an entry out."`
	Answer      anyPart      `yaml:"answer" validate:"-" means:"What it answers: a mapping, in which a text that is wholly ${EXPRESSION} is worked out."`
	Fails       *failsPart   `yaml:"fails" validate:"-" means:"It fails, and nothing happens."`
	Rejects     *rejectsPart `yaml:"rejects" validate:"-" means:"It refuses by rules of its own, and nothing happens."`
	Cost        Number       `yaml:"cost" validate:"omitnil,max=1000000" means:"What the attempt really costs; else what was reserved."`
}

type writePart struct {
	part  `validate:"-"`
	Into  Text     `yaml:"into" validate:"required,min=1" means:"The collection."`
	Key   exprPart `yaml:"key" validate:"required" means:"An expression that gives the key."`
	Value anyPart  `yaml:"value" validate:"-" means:"The value, in which a text that is wholly ${EXPRESSION} is worked out."`
}

type failsPart struct {
	part      `validate:"-"`
	Code      Text `yaml:"code" validate:"required,min=1" means:"The code, in capitals: the scenario's own, or one that is known."`
	Retryable Flag `yaml:"retryable" validate:"-" means:"Whether the same call may succeed later." default:"false"`
}

type rejectsPart struct {
	part    `validate:"-"`
	Code    Text `yaml:"code" validate:"required,min=1" means:"The code, in capitals: the scenario's own, or one that is known."`
	Message Text `yaml:"message" validate:"required,min=1" means:"What the model is told."`
	Hint    Text `yaml:"hint" validate:"-" means:"What the model could do instead."`
}

type faultPart struct {
	part  `validate:"-"`
	Tool  Text    `yaml:"tool" validate:"required,min=1" means:"The declared tool."`
	Call  Number  `yaml:"call" validate:"omitnil,min=1,max=100000" means:"Which attempt of the tool in the run, from 1; else every one."`
	Kind  Text    `yaml:"kind" validate:"required,oneof=unavailable request-lost crash-before crash-after response-lost malformed-answer readback-differs lookup-unavailable" means:"What goes wrong, and where on the call's way."`
	Value anyPart `yaml:"value" validate:"-" means:"With readback-differs: what is read in place of what the call wrote; else nothing is there."`
}

type humanPart struct {
	part       `validate:"-"`
	Says       Text    `yaml:"says" validate:"required,oneof=approve decline postpone" means:"The answer. postpone leaves the question open and lets the run go on."`
	After      Span    `yaml:"after" validate:"-" means:"Time after the question." default:"0s"`
	By         Text    `yaml:"by" validate:"required,min=1" means:"Who answers."`
	Reason     Text    `yaml:"reason" validate:"-" means:"Why, in their words."`
	Request    Text    `yaml:"request" validate:"omitnil,min=1" means:"The id of the question that the answer carries, c1 being the first; else that of the question asked."`
	Seen       Text    `yaml:"seen" validate:"omitnil,min=1" means:"The question whose contents it carries, where that is another one."`
	Arguments  anyPart `yaml:"arguments" validate:"-" means:"The arguments that the person saw, where they are others."`
	Run        Text    `yaml:"run" validate:"-" means:"The run that the answer is for, where it is another one."`
	Session    Text    `yaml:"session" validate:"-" means:"The session, where it is another one."`
	Principal  Text    `yaml:"principal" validate:"-" means:"The principal, where it is another one."`
	Tenant     Text    `yaml:"tenant" validate:"-" means:"The tenant, where it is another one."`
	Version    Text    `yaml:"version" validate:"-" means:"The tool's version, where it is another one."`
	Definition Text    `yaml:"definition" validate:"omitnil,oneof=other" means:"The answer is for another definition of the tool."`
	Policy     Text    `yaml:"policy" validate:"omitnil,oneof=other" means:"The answer was given under other rules."`
}
