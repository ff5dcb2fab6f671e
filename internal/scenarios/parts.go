package scenarios

import "sync"

// document is one file as it is written. Every value is optional here; what is
// required of a scenario is asked once the cases are laid over the file.
type document struct {
	part
	APIVersion Text `yaml:"apiVersion" means:"The version of this format."`
	Kind       Text `yaml:"kind" means:"What the document is."`
	entry
	Cases List[caseEntry] `yaml:"cases" means:"Variations of the scenario, run as id/case each. A case is laid over the file: mappings key by key, files path by path; lists and single values replace."`
}

// caseEntry is one of a file's cases.
type caseEntry struct {
	part
	entry
}

// entry is what a file and each of its cases can say.
type entry struct {
	ID      Text           `yaml:"id" means:"The name: lower-case letters, digits and -, in segments joined by /. A case has one segment."`
	Title   Text           `yaml:"title" means:"One line that says what happens."`
	Teaches Text           `yaml:"teaches" means:"What a reader can learn from it."`
	Tags    List[Text]     `yaml:"tags" means:"Words to select scenarios by."`
	Repo    *repoPart      `yaml:"repo" means:"The virtual repository."`
	Task    *taskPart      `yaml:"task" means:"What the run is to do, with what rights and budgets."`
	Rules   List[rulePart] `yaml:"rules" means:"Further rules. Deny wins over confirm, confirm over allow, and silence denies."`

	Principal *principalPart   `yaml:"principal" means:"On whose behalf the run acts."`
	Grants    List[grantPart]  `yaml:"grants" means:"Capabilities given to this run, within bounds. Rules that deny win over them."`
	Include   List[Text]       `yaml:"include" means:"Files of kind Tools, whose tools, world and faults belong to the scenario. Paths are relative to this file."`
	Tools     List[toolPart]   `yaml:"tools" means:"Tools that the scenario declares."`
	World     anyPart          `yaml:"world" means:"What lies outside the repository: collections by name, each a mapping from keys to values."`
	Faults    List[faultPart]  `yaml:"faults" means:"What goes wrong in single calls of declared tools."`
	Human     List[humanPart]  `yaml:"human" means:"What persons answer, in the order of the questions. Without an answer the run waits."`
	Limits    *limitsPart      `yaml:"limits" means:"Sizes of arguments and answers, in code points."`
	Model     *modelPart       `yaml:"model" means:"The model that answers."`
	Changes   List[changePart] `yaml:"changes" means:"What happens outside the run: to files, to the world, or what a person orders."`
	Expect    *Expect          `yaml:"expect" means:"What the run must come to. Whatever is left out is not looked at."`

	Invariants List[exprPart]  `yaml:"invariants" means:"Expressions over world, observations, summary, citations and edits that must hold at every moment: when the run ends, and in every state that harness explore comes to."`
	ExpectFail *expectFailPart `yaml:"expectFail" means:"The scenario is known to fail. It is red once it passes."`
	NullAgent  *nullAgentPart  `yaml:"nullAgent" means:"The scenario passes for an agent that finishes at once, and is not empty all the same."`
	Points     Number          `yaml:"points" means:"What passing is worth in a course." default:"0"`
}

type repoPart struct {
	part
	Files filesPart `yaml:"files" means:"Path to content. Paths are relative, with / between folders. In a case, null removes a file."`
}

// fileForm is a file written as a mapping.
type fileForm struct {
	part
	Content       Text `yaml:"content" means:"The content as text."`
	ContentBase64 Text `yaml:"contentBase64" means:"The content as Base64, where the bytes matter."`
	Executable    Flag `yaml:"executable" means:"Whether the file is marked executable." default:"false"`
}

type taskPart struct {
	part          `validate:"-"`
	Goal          Text            `yaml:"goal" validate:"omitnil,min=1" means:"What the run is to do; the model reads it."`
	Read          List[Text]      `yaml:"read" validate:"-" means:"Paths and globs that may be searched and read: sugar for allow rules on repo:search and repo:read."`
	Edit          List[Text]      `yaml:"edit" validate:"-" means:"Paths and globs that edits may be proposed for: sugar for allow rules on repo:propose. They must be readable."`
	Budget        *budgetPart     `yaml:"budget" validate:"-" means:"What the run may use up. 0 means none."`
	OnRejection   Text            `yaml:"onRejection" validate:"omitnil,oneof=stop observe" means:"What a refused action does: stop ends the run as rejected, observe tells the model." default:"stop"`
	Completion    *completionPart `yaml:"completion" validate:"-" means:"The proof that a finish has to give. With it a finish ends as completed, or the run fails."`
	Handoff       exprPart        `yaml:"handoff" validate:"-" means:"An expression over world, observations and edits, asked after every step: where it holds, a person takes over."`
	ConfirmWithin Span            `yaml:"confirmWithin" validate:"-" means:"How long after a question an answer counts." default:"1h"`
	EditShownOnly Flag            `yaml:"editShownOnly" validate:"-" means:"Whether an edit may touch only text that read has shown." default:"true"`
}

type budgetPart struct {
	part         `validate:"-"`
	Steps        Number     `yaml:"steps" validate:"omitnil,max=100000" means:"Askings of the model, refused actions included."`
	ToolCalls    Number     `yaml:"toolCalls" validate:"omitnil,max=100000" means:"Calls of tools. What a gate refused is none."`
	Rejections   Number     `yaml:"rejections" validate:"omitnil,max=100000" means:"Refused actions that the model may be told about, under onRejection: observe."`
	Repeats      Number     `yaml:"repeats" validate:"omitnil,min=2,max=1000" means:"How often the same action with the same answer ends the run."`
	Window       Number     `yaml:"window" validate:"omitnil,min=2,max=1000" means:"How many steps back repeats are looked for."`
	ContextChars Number     `yaml:"contextChars" validate:"omitnil,max=1000000000" means:"Code points of what the model is given at a step."`
	Cost         Number     `yaml:"cost" validate:"omitnil,max=1000000000" means:"Cost of all calls, in the unit of the tools' contracts; reserved before a call and settled after."`
	Output       Number     `yaml:"output" validate:"omitnil,max=1000000000" means:"Bytes of all answers of declared tools."`
	Deadline     Span       `yaml:"deadline" validate:"-" means:"When the run must be over, in virtual time since its start." default:"24h"`
	PerTool      countsPart `yaml:"perTool" validate:"-" means:"Calls of single declared tools."`
}

type limitsPart struct {
	part        `validate:"-"`
	Query       Number `yaml:"query" validate:"omitnil,min=1,max=1000000" means:"Longest query of a search."`
	Path        Number `yaml:"path" validate:"omitnil,min=1,max=1000000" means:"Longest path."`
	Content     Number `yaml:"content" validate:"omitnil,min=1,max=1000000" means:"Most that one read shows."`
	Before      Number `yaml:"before" validate:"omitnil,min=1,max=1000000" means:"Longest text to replace."`
	After       Number `yaml:"after" validate:"omitnil,min=1,max=1000000" means:"Longest replacement."`
	Summary     Number `yaml:"summary" validate:"omitnil,min=1,max=1000000" means:"Longest summary of finish."`
	Observation Number `yaml:"observation" validate:"omitnil,min=400,max=1000000" means:"Longest observation, as canonical JSON."`
	Hits        Number `yaml:"hits" validate:"omitnil,min=1,max=1000" means:"Most hits of one search."`
	HitText     Number `yaml:"hitText" validate:"omitnil,min=1,max=1000000" means:"Longest line shown of a hit."`
	Output      Number `yaml:"output" validate:"omitnil,min=1,max=1048576" means:"Most bytes of one output of the model."`
	Answer      Number `yaml:"answer" validate:"omitnil,min=1,max=16777216" means:"Most bytes of one answer of a declared tool, as canonical JSON."`
}

type rulePart struct {
	part       `validate:"-"`
	Effect     Text     `yaml:"effect" validate:"required,oneof=allow confirm deny" means:"What the rule does: confirm allows it once a person has approved."`
	Capability Text     `yaml:"capability" validate:"required" means:"What it is about."`
	Resource   Text     `yaml:"resource" validate:"required,min=1" means:"Path or glob. A sensitive file must be named; a glob does not allow it."`
	When       exprPart `yaml:"when" validate:"-" means:"An expression over args and principal; the rule counts only where it holds."`
}

type modelPart struct {
	part
	Script      scriptPart `yaml:"script" means:"The answers, in the order in which they are given."`
	AllowUnused Flag       `yaml:"allowUnused" means:"Whether answers may be left over." default:"false"`
}

type changePart struct {
	part      `validate:"-"`
	AfterStep Number     `yaml:"afterStep" validate:"-" means:"The change happens once this many steps are over; 0 is before the first."`
	At        Span       `yaml:"at" validate:"-" means:"The change happens at this virtual time since the start, also while a tool works or a person is asked. Without anything else, time passes."`
	Files     filesPart  `yaml:"files" validate:"-" means:"Path to new content; null removes the file."`
	World     anyPart    `yaml:"world" validate:"-" means:"Collections with keys and new values; null takes an entry out."`
	Cancel    Text       `yaml:"cancel" validate:"omitnil,oneof=run call" means:"A person cancels the run, or the call that is under way alone."`
	Pause     Flag       `yaml:"pause" validate:"-" means:"A person pauses the run."`
	Resume    Flag       `yaml:"resume" validate:"-" means:"A person resumes the run."`
	Revoke    Text       `yaml:"revoke" validate:"-" means:"The grant of this id is revoked."`
	Redefine  Text       `yaml:"redefine" validate:"-" means:"The declared tool of this name changes its definition."`
	Answer    *humanPart `yaml:"answer" validate:"-" means:"A person answers a question that was postponed."`
	By        Text       `yaml:"by" validate:"-" means:"Who orders it."`
	Reason    Text       `yaml:"reason" validate:"-" means:"Why, in their words."`
}

type expectFailPart struct {
	part   `validate:"-"`
	Reason Text `yaml:"reason" validate:"required,min=1" means:"Why it fails."`
	Issue  Text `yaml:"issue" validate:"required,min=1" means:"Where that is tracked: a number, a name or an address."`

	Clauses List[Text] `yaml:"clauses" validate:"-" means:"The keys of expect that are known to fail, invariants, and golden; any other failure is red. Without it all of them may fail except never and invariants."`
}

type nullAgentPart struct {
	part   `validate:"-"`
	Passes Text `yaml:"passes" validate:"required,min=1" means:"Why an agent that does nothing passes by the nature of the scenario."`
}

// The shapes are read when first asked for: a scenario has few of the parts.
var (
	documentShape       = sync.OnceValue(shapeOf[document])
	caseShape           = sync.OnceValue(shapeOf[caseEntry])
	repoShape           = sync.OnceValue(shapeOf[repoPart])
	fileFormShape       = sync.OnceValue(shapeOf[fileForm])
	taskShape           = sync.OnceValue(shapeOf[taskPart])
	budgetShape         = sync.OnceValue(shapeOf[budgetPart])
	limitsShape         = sync.OnceValue(shapeOf[limitsPart])
	ruleShape           = sync.OnceValue(shapeOf[rulePart])
	modelShape          = sync.OnceValue(shapeOf[modelPart])
	changeShape         = sync.OnceValue(shapeOf[changePart])
	expectShape         = sync.OnceValue(shapeOf[Expect])
	expectEditShape     = sync.OnceValue(shapeOf[ExpectEdit])
	expectDecisionShape = sync.OnceValue(shapeOf[ExpectDecision])
	principalShape      = sync.OnceValue(shapeOf[principalPart])
	grantShape          = sync.OnceValue(shapeOf[grantPart])
	completionShape     = sync.OnceValue(shapeOf[completionPart])
	toolShape           = sync.OnceValue(shapeOf[toolPart])
	needShape           = sync.OnceValue(shapeOf[needPart])
	identityShape       = sync.OnceValue(shapeOf[identityPart])
	requireShape        = sync.OnceValue(shapeOf[requirePart])
	retryShape          = sync.OnceValue(shapeOf[retryPart])
	rateShape           = sync.OnceValue(shapeOf[ratePart])
	behaviourShape      = sync.OnceValue(shapeOf[behaviourPart])
	writeShape          = sync.OnceValue(shapeOf[writePart])
	failsShape          = sync.OnceValue(shapeOf[failsPart])
	rejectsShape        = sync.OnceValue(shapeOf[rejectsPart])
	faultShape          = sync.OnceValue(shapeOf[faultPart])
	humanShape          = sync.OnceValue(shapeOf[humanPart])
	toolsFileShape      = sync.OnceValue(shapeOf[toolsFile])
	expectFailShape     = sync.OnceValue(shapeOf[expectFailPart])
	nullAgentShape      = sync.OnceValue(shapeOf[nullAgentPart])
	expectEffectShape   = sync.OnceValue(shapeOf[ExpectEffect])
	excusesFileShape    = sync.OnceValue(shapeOf[excusesFile])
	excuseShape         = sync.OnceValue(shapeOf[excusePart])
)

func (*document) shape() *shape       { return documentShape() }
func (*caseEntry) shape() *shape      { return caseShape() }
func (*repoPart) shape() *shape       { return repoShape() }
func (*fileForm) shape() *shape       { return fileFormShape() }
func (*taskPart) shape() *shape       { return taskShape() }
func (*budgetPart) shape() *shape     { return budgetShape() }
func (*limitsPart) shape() *shape     { return limitsShape() }
func (*rulePart) shape() *shape       { return ruleShape() }
func (*modelPart) shape() *shape      { return modelShape() }
func (*changePart) shape() *shape     { return changeShape() }
func (*Expect) shape() *shape         { return expectShape() }
func (*ExpectEdit) shape() *shape     { return expectEditShape() }
func (*ExpectDecision) shape() *shape { return expectDecisionShape() }
func (*principalPart) shape() *shape  { return principalShape() }
func (*grantPart) shape() *shape      { return grantShape() }
func (*completionPart) shape() *shape { return completionShape() }
func (*toolPart) shape() *shape       { return toolShape() }
func (*needPart) shape() *shape       { return needShape() }
func (*identityPart) shape() *shape   { return identityShape() }
func (*requirePart) shape() *shape    { return requireShape() }
func (*retryPart) shape() *shape      { return retryShape() }
func (*ratePart) shape() *shape       { return rateShape() }
func (*behaviourPart) shape() *shape  { return behaviourShape() }
func (*writePart) shape() *shape      { return writeShape() }
func (*failsPart) shape() *shape      { return failsShape() }
func (*rejectsPart) shape() *shape    { return rejectsShape() }
func (*faultPart) shape() *shape      { return faultShape() }
func (*humanPart) shape() *shape      { return humanShape() }
func (*toolsFile) shape() *shape      { return toolsFileShape() }
func (*expectFailPart) shape() *shape { return expectFailShape() }
func (*nullAgentPart) shape() *shape  { return nullAgentShape() }
func (*ExpectEffect) shape() *shape   { return expectEffectShape() }
func (*excusesFile) shape() *shape    { return excusesFileShape() }
func (*excusePart) shape() *shape     { return excuseShape() }
