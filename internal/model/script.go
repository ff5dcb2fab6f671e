package model

import (
	"slices"

	"harness/internal/strictjson"
)

// Forever as an item's Repeat: the item never runs out.
const Forever = -1

// Item is one answer of a script.
type Item struct {
	Where  string // place in the scenario
	Repeat int    // how often it is given; Forever without end
	Raw    []byte // the exact output; nil if it is made from Value
	Value  strictjson.Value

	parts []part // of the output, if Value holds references
}

// part is a piece of an output's canonical encoding: fixed text, and a reference
// whose value follows it.
type part struct {
	text []byte
	ref  Reference // empty after the last text
}

// Script is a scripted model: the answers in the order they are given. It does
// not change; a [Player] keeps the place in it.
type Script struct {
	items []Item
}

// NewScript prepares the answers. What is not a reference is encoded here, once.
func NewScript(items []Item) *Script {
	s := &Script{items: slices.Clone(items)}
	for i := range s.items {
		item := &s.items[i]
		if item.Raw != nil {
			continue
		}
		item.parts = split([]part{{}}, strictjson.Sorted(item.Value))
		if len(item.parts) == 1 {
			item.Raw, item.parts = item.parts[0].text, nil
		}
	}
	return s
}

// Play starts the script from its beginning.
func (s *Script) Play() *Player { return &Player{script: s} }

// Player gives a script's answers one by one.
type Player struct {
	script *Script
	item   int
	given  int // times the current item was given
}

// Next gives the next answer.
func (p *Player) Next(r Request) ([]byte, *Failure) {
	items := p.script.items
	for p.item < len(items) && items[p.item].Repeat != Forever && p.given >= items[p.item].Repeat {
		p.item, p.given = p.item+1, 0
	}
	if p.item == len(items) {
		return nil, &Failure{Code: ScriptExhausted, Message: "the model was asked once more than the script has answers"}
	}
	item := &items[p.item]
	p.given++
	if item.parts == nil {
		return item.Raw, nil
	}
	out := make([]byte, 0, 256)
	for i := range item.parts {
		out = append(out, item.parts[i].text...)
		if i == len(item.parts)-1 {
			break
		}
		ref := &item.parts[i].ref
		v, ok := ref.find(r.Past)
		if !ok {
			return nil, &Failure{Code: Failed, Message: "no observation so far holds ${" + ref.Name + "}", Where: item.Where}
		}
		out = append(out, v...)
	}
	return out, nil
}

// Leftover is the place of the first item that was not given as often as it
// says, and how many such items there are. One repeated forever is never left
// over.
func (p *Player) Leftover() (where string, count int) {
	for i := p.item; i < len(p.script.items); i++ {
		item := &p.script.items[i]
		if item.Repeat == Forever || i == p.item && p.given >= item.Repeat {
			continue
		}
		if count == 0 {
			where = item.Where
		}
		count++
	}
	return where, count
}
