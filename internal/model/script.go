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
	Refs   bool // Value holds references, so it is encoded anew at each asking
}

// Script is a scripted model: the answers in the order they are given. It does
// not change; a [Player] keeps the place in it.
type Script struct {
	items []Item
}

// NewScript prepares the answers. Values without references are encoded here,
// once.
func NewScript(items []Item) *Script {
	s := &Script{items: slices.Clone(items)}
	for i := range s.items {
		item := &s.items[i]
		item.Refs = item.Raw == nil && hasRefs(item.Value)
		if item.Raw == nil && !item.Refs {
			item.Raw = strictjson.AppendCanonical(nil, unescape(item.Value))
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
	if !item.Refs {
		return item.Raw, nil
	}
	v, missing := resolve(item.Value, r.Past)
	if missing != "" {
		return nil, &Failure{Code: Failed, Message: "no observation so far holds ${" + missing + "}", Where: item.Where}
	}
	return strictjson.AppendCanonical(nil, v), nil
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
