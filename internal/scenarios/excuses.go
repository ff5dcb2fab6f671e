package scenarios

import (
	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

const kindExcuses = "Excuses"

// Excuses name what a suite is known not to show, each with its reason, so that
// nothing is missing without one.
type Excuses struct {
	File     string
	Coverage []Excuse // points of the coverage
	Mutants  []Excuse // mutants that no scenario notices
}

// Excuse is one thing that is excused.
type Excuse struct {
	ID     string
	Reason string
	Pos    diag.Pos
}

type excusesFile struct {
	part
	APIVersion Text             `yaml:"apiVersion" means:"Always harness/v1."`
	Kind       Text             `yaml:"kind" means:"Always Excuses."`
	Coverage   List[excusePart] `yaml:"coverage" means:"Points that the suite does not show."`
	Mutants    List[excusePart] `yaml:"mutants" means:"Mutants that the suite does not notice."`
}

type excusePart struct {
	part   `validate:"-"`
	ID     Text `yaml:"id" validate:"required,min=1" means:"The point or the mutant, as reports name it."`
	Reason Text `yaml:"reason" validate:"required,min=1" means:"Why it need not be shown."`
}

// ParseExcuses reads a file of kind Excuses. If the list holds more than notes,
// there are none.
func ParseExcuses(file string, data []byte) (*Excuses, diag.List) {
	found := &findings{file: file}
	root := parseTree(data, found)
	if root == nil {
		return nil, found.sorted()
	}
	return readExcuses(root, found), found.sorted()
}

func readExcuses(root *yaml.Node, found *findings) *Excuses {
	d := &decoder{found: found}
	var f excusesFile
	d.value(&f, root)
	if f.bad {
		return nil
	}
	checkIdentity(f.part, f.APIVersion, f.Kind, kindExcuses, "", found)
	e := &Excuses{
		File:     found.file,
		Coverage: excuses(f.Coverage, "coverage", found),
		Mutants:  excuses(f.Mutants, "mutants", found),
	}
	if found.failed() {
		return nil
	}
	return e
}

func excuses(list List[excusePart], name string, found *findings) []Excuse {
	var all []Excuse
	seen := map[string]bool{}
	for i, p := range list.Items {
		switch {
		case p.bad || !p.ID.ok():
		case seen[p.ID.Value]:
			found.add(p.ID.Pos, InvalidValue, itemName(name, i)+".id names "+strictjson.Quote(p.ID.Value)+" a second time", "one reason is enough")
		default:
			seen[p.ID.Value] = true
			all = append(all, Excuse{ID: p.ID.Value, Reason: p.Reason.Value, Pos: p.ID.Pos})
		}
	}
	return all
}

// checkIdentity reports a document that does not say what it has to be.
func checkIdentity(in part, version, kind Text, wanted, of string, found *findings) {
	for _, v := range []struct {
		key  string
		text Text
		want string
	}{{"apiVersion", version, apiVersion}, {"kind", kind, wanted}} {
		switch {
		case !v.text.Set():
			found.add(in.Pos, MissingKey, "the key "+v.key+" is missing", "write "+v.key+": "+v.want)
		case v.text.ok() && v.text.Value != v.want:
			found.add(v.text.Pos, InvalidValue, v.key+" names "+strictjson.Quote(v.text.Value)+of, "write "+v.key+": "+v.want)
		}
	}
}
