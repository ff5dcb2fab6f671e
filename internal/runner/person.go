package runner

import (
	"time"

	"harness/internal/event"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
)

// Reply is what a person says to a question. What is left out is as the question
// has it; what is given shows an answer that was tampered with, or is for something
// else.
type Reply struct {
	Where   string // place in the scenario
	Verdict event.Verdict
	After   time.Duration // after the question
	By      string
	Reason  string
	Request string // the id it carries; "" for the question asked
	// Seen is the question whose contents it carries; "" for that of Request.
	Seen      string
	Arguments strictjson.Value // that the person saw
	Run       *string
	Session   *string
	Principal *string
	Tenant    *string
	Version   *string
	// OtherDefinition and OtherPolicy make it an answer to something else.
	OtherDefinition, OtherPolicy bool
}

// askPerson has the next reply come after its time; without one nothing comes.
func (d *driver) askPerson(c *event.Confirmation) {
	if d.replies == len(d.cfg.Human) {
		return
	}
	reply := &d.cfg.Human[d.replies]
	d.replies++
	d.schedule(d.now+reply.After, rankAnswer, func() (machine.Input, bool) {
		return machine.Input{Kind: machine.Answered, Answer: d.answer(reply, c)}, true
	})
}

// answer makes a reply an answer to a question; c is the one asked, nil for a reply
// that names its own.
func (d *driver) answer(r *Reply, c *event.Confirmation) *event.Answer {
	a := &event.Answer{Request: r.Request, Verdict: r.Verdict, By: r.By, Reason: r.Reason, Where: r.Where}
	if a.Request == "" && c != nil {
		a.Request = c.ID
	}
	seen := r.Seen
	if seen == "" {
		seen = a.Request
	}
	if asked := d.machine.State().Standing.Asked(seen); asked != nil {
		a.Binding = asked.Binding
	} else if c != nil {
		a.Binding = c.Binding // forged after what can be seen
	}
	r.tamper(&a.Binding)
	return a
}

func (r *Reply) tamper(b *event.Binding) {
	for _, v := range []struct {
		given *string
		field *string
	}{
		{r.Run, &b.Run}, {r.Session, &b.Session}, {r.Principal, &b.Principal}, {r.Tenant, &b.Tenant}, {r.Version, &b.Version},
	} {
		if v.given != nil {
			*v.field = *v.given
		}
	}
	if !r.Arguments.IsZero() {
		b.Arguments = strictjson.DigestOf(r.Arguments)
	}
	if r.OtherDefinition {
		b.Definition = strictjson.DigestBytes(b.Definition[:])
	}
	if r.OtherPolicy {
		b.Policy = strictjson.DigestBytes(b.Policy[:])
	}
}
