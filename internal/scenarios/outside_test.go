package scenarios

import (
	"errors"
	"strings"
	"testing"

	"harness/internal/tools"
)

// shop is a scenario with one tool behind everything that a tool can have.
const shop = `apiVersion: harness/v1
kind: Scenario
id: a/shop
principal: {id: ann, tenant: t1, session: s1, permissions: [sell]}
world: {orders: {A1: {total: 5}}}
tools:
  - name: refund
    purpose: Pays back.
    input: {type: object, properties: {order: {type: string}, cents: {type: integer, minimum: 1}, pin: {type: string}}, required: [order, cents]}
    output: {type: object, properties: {id: {type: string}}, required: [id]}
    capability: refund:write
    resource: '"order/" + args.order'
    sideEffect: idempotent-write
    actionKey: args.order
    confirmation: per-call
    permission: sell
    require: [{id: small, that: args.cents < 100, code: TOO_MUCH, message: too much}]
    operands: world.orders[args.order]
    timeout: 2s
    retry: {attempts: 2, backoff: 1s, factor: 2}
    cost: 5
    rate: {calls: 2, per: 1s}
    sensitive: [pin]
    lookup: true
    ensures: args.order in world.orders
    behaviour:
      - when: call == 1
        takes: 1s
        effectAfter: 500ms
        put: {into: orders, key: args.order, value: {total: '${args.cents}'}}
        answer: {id: '${args.order}'}
        cost: 3
      - rejects: {code: GONE, message: gone}
grants: [{id: g, capability: refund:write, resource: "order/*", untilStep: 3, calls: 2, tenant: t1, when: args.cents > 0}]
rules: [{effect: confirm, capability: refund:write, resource: "order/B*", when: 'principal.id == "ann"'}]
faults: [{tool: refund, call: 2, kind: response-lost}]
human: [{says: approve, by: bob, after: 1s}]
changes: [{at: 5s, revoke: g, by: bob}, {afterStep: 1, world: {orders: {A1: null}}}]
task:
  goal: pay back
  confirmWithin: 10m
  handoff: size(observations) > 9
  completion: {citations: 1, verify: size(world.orders) > 0}
  budget: {steps: 3, cost: 9, output: 900, deadline: 1m, perTool: {refund: 2}}
model: {script: [{type: finish, summary: done}]}
expect: {holds: [size(world.orders) == 1], effects: [], events: [run.stopped DEADLINE_REACHED], decisions: [{step: 1, decision: deny, tool: refund, code: TOO_MUCH}]}
`

func TestDeclaredToolsLoad(t *testing.T) {
	list, found := Parse("s.yaml", []byte(shop))
	if found.Failed() {
		t.Fatal(found)
	}
	cfg := list[0].Config
	tool, ok := cfg.Machine.Registry.Lookup("refund", "1")
	if !ok {
		t.Fatal("the tool is not registered")
	}
	c := tool.Contract()
	if c.Confirmation != tools.PerCall || c.Retry.Attempts != 2 || c.Rate.Calls != 2 || c.Cost != 5 || !c.Lookup || !c.Inspects || c.Definition.IsZero() {
		t.Errorf("got the contract %+v", c)
	}
	if id := cfg.Machine.Identity; id.Run != "a/shop" || id.Session != "s1" || id.Principal.Tenant != "t1" || id.Policy.IsZero() || id.ConfirmFor.String() != "10m0s" {
		t.Errorf("got the identity %+v", id)
	}
	if b := cfg.Machine.Budgets; b.Cost != 9 || b.Output != 900 || b.Deadline.String() != "1m0s" || len(b.PerTool) != 1 || b.PerTool[0].Calls != 2 {
		t.Errorf("got the budgets %+v", b)
	}
	if len(cfg.Human) != 1 || len(cfg.Timed) != 1 || len(cfg.Changes) != 1 || cfg.Verifier == nil || cfg.Handoff == nil || len(list[0].Holds) != 1 {
		t.Errorf("got %+v", cfg)
	}
}

// Faults of what a scenario declares stand at their place, each with its code.
func TestDeclaredToolsFaults(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"expression names nobody", "args.order'", "args.ordr'", []string{"12:32 BAD_EXPRESSION"}},
		{"expression of another type", "args.cents < 100", "args.cents", []string{"17:33 BAD_EXPRESSION"}},
		{"expression over another world", "size(world.orders) > 0", "size(world.order) > 0", []string{"43:49 BAD_EXPRESSION"}},
		{"unclosed expression", "call == 1", "call ==", []string{"27:22 BAD_EXPRESSION"}},
		{"expression in a value", "'${args.cents}'", "'${args.cent}'", []string{"30:61 BAD_EXPRESSION"}},
		{"condition of a grant", "when: args.cents > 0", "when: arg.cents > 0", []string{"34:107 BAD_EXPRESSION"}},
		{"answer outside the schema", "answer: {id: '${args.order}'}", "answer: {id: 5}", []string{"31:17 INVALID_VALUE"}},
		{"answer of another field", "answer: {id: '${args.order}'}", "answer: {ids: x}", []string{"31:17 INVALID_VALUE"}},
		{"schema keyword", "{type: integer, minimum: 1}", "{type: integer, minimun: 1}", []string{"9:95 BAD_SCHEMA"}},
		{"schema of no object", "output: {type: object, properties: {id: {type: string}}, required: [id]}", "output: {type: string}", []string{"10:20 BAD_SCHEMA"}},
		{"unknown collection", "{into: orders,", "{into: order,", []string{"30:21 BAD_REFERENCE"}},
		{"a read that writes", "sideEffect: idempotent-write", "sideEffect: read", []string{"14:16 INVALID_VALUE", "24:13 INVALID_VALUE", "30:14 INVALID_VALUE"}},
		{"effect behind the answer", "effectAfter: 500ms", "effectAfter: 5s", []string{"29:22 INVALID_VALUE"}},
		{"cost beyond the reserve", "cost: 3", "cost: 6", []string{"32:15 INVALID_VALUE"}},
		{"sensitive and shown", "sensitive: [pin]", "sensitive: [order]", []string{"12:15 INVALID_VALUE", "14:16 INVALID_VALUE"}},
		{"sensitive what is not there", "sensitive: [pin]", "sensitive: [pan]", []string{"23:17 BAD_REFERENCE"}},
		{"name of a repository tool", "name: refund", "name: search", []string{"7:11 INVALID_VALUE"}},
		{"code of another class", "code: GONE", "code: TOOL_TIMEOUT", []string{"33:25 INVALID_VALUE"}},
		{"code that is none", "code: GONE", "code: gone", []string{"33:25 INVALID_VALUE"}},
		{"unknown capability of a grant", "{id: g, capability: refund:write", "{id: g, capability: refund:writ", []string{"34:30 BAD_REFERENCE"}},
		{"two changes in one", "revoke: g, by: bob}", "revoke: g, cancel: run, by: bob}", []string{"38:11 INVALID_VALUE"}},
		{"unknown grant", "revoke: g,", "revoke: h,", []string{"38:28 BAD_REFERENCE"}},
		{"change of another world", "world: {orders: {A1: null}}", "world: {order: {A1: null}}", []string{"38:71 BAD_REFERENCE"}},
		{"unknown kind of fault", "kind: response-lost", "kind: fire", []string{"36:40 INVALID_VALUE"}},
		{"negative time", "deadline: 1m", "deadline: -1m", []string{"44:54 INVALID_VALUE"}},
		{"time as a number", "deadline: 1m", "deadline: 60", []string{"44:54 WRONG_TYPE"}},
		{"negative cost", "cost: 9,", "cost: -9,", []string{"44:28 INVALID_VALUE"}},
		{"cost beyond numbers", "cost: 9,", "cost: 99999999999999999999,", []string{"44:28 INVALID_VALUE"}},
		{"completion of nothing", "{citations: 1, verify: size(world.orders) > 0}", "{}", []string{"43:15 INVALID_VALUE"}},
		{"expectation of a fact that cannot be", "size(world.orders) == 1]", "size(world.orders) == \"1\"]", []string{"46:37 BAD_EXPRESSION"}},
		{"unknown event", "run.stopped DEADLINE_REACHED", "run.stoped", []string{"46:66 BAD_REFERENCE"}},
		{"answer without a person", "{says: approve, by: bob, after: 1s}", "{says: approve}", []string{"37:9 MISSING_KEY"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(shop, c.old) != 1 {
				t.Fatalf("%q stands %d times in the scenario", c.old, strings.Count(shop, c.old))
			}
			expectFaults(t, strings.Replace(shop, c.old, c.new, 1), c.want...)
		})
	}
}

// A file of tools is included by a path relative to the scenario; its faults stand
// under its own name.
func TestInclude(t *testing.T) {
	const desk = "apiVersion: harness/v1\nkind: Tools\nworld: {tickets: {}}\ntools:\n  - {name: t, purpose: x, input: {type: object}, output: {type: object}, capability: c, sideEffect: read, behaviour: [{answer: {}}]}\n"
	open := func(text string) Opener {
		return func(name string) ([]byte, error) {
			if name != "../desk.yaml" {
				return nil, errors.New("no such file")
			}
			return []byte(text), nil
		}
	}
	whole := func(include string) []byte { return []byte(plain + "include: [" + include + "]\n") }
	list, found := ParseWith("dir/s.yaml", whole("../desk.yaml"), nil, open(desk))
	if found.Failed() || !list[0].Config.Machine.Registry.Has("t") || list[0].Config.World == nil {
		t.Fatalf("the tools are not there: %v", found)
	}
	for _, c := range []struct{ name, include, text, want string }{
		{"no such file", "other.yaml", desk, "dir/s.yaml 14:11 BAD_REFERENCE"},
		{"absolute", "/etc/passwd", desk, "dir/s.yaml 14:11 INVALID_VALUE"},
		{"another kind", "../desk.yaml", strings.Replace(desk, "Tools", "Scenario", 1), "dir/../desk.yaml 2:7 INVALID_VALUE"},
		{"fault inside", "../desk.yaml", strings.Replace(desk, "capability: c", "capability: 5", 1), "dir/../desk.yaml 5:86 WRONG_TYPE"},
		{"fault of a tool", "../desk.yaml", strings.Replace(desk, "input: {type: object}", "input: {type: objekt}", 1), "dir/../desk.yaml 5:41 BAD_SCHEMA"},
	} {
		_, found := ParseWith("dir/s.yaml", whole(c.include), nil, open(c.text))
		if len(found) == 0 || found[0].File+" "+found[0].Pos.String()+" "+found[0].Code.Name != c.want {
			t.Errorf("%s: got %v, want %s", c.name, found, c.want)
		}
	}
	if _, found := Parse("s.yaml", whole("../desk.yaml")); !found.Failed() {
		t.Error("a text without a place includes a file")
	}
}
