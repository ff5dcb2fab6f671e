package main

import (
	"fmt"
	"os"
	"time"

	"harness/internal/runner"
	"harness/internal/runner/machine"
)

// policyScenario has a tool of its own behind every gate: a schema, a requirement,
// a grant with a condition, budgets, a postcondition.
const policyScenario = `apiVersion: harness/v1
kind: Scenario
id: bench/ticket
title: One ticket through all gates
principal: {id: alice, tenant: acme, permissions: [tickets.open]}
world: {tickets: {}}
tools:
  - name: open_ticket
    purpose: Opens a ticket.
    input: {type: object, properties: {service: {type: string, maxLength: 40}, title: {type: string, maxLength: 80}}, required: [service, title]}
    output: {type: object, properties: {ticket: {type: string}}, required: [ticket]}
    capability: ticket:write
    resource: '"service/" + args.service'
    permission: tickets.open
    require: [{id: known, that: 'args.service in ["cart", "checkout"]', code: SERVICE_UNKNOWN, message: no such service}]
    sideEffect: idempotent-write
    actionKey: args.service
    timeout: 2s
    cost: 5
    rate: {calls: 9, per: 1s}
    lookup: true
    ensures: result.ticket in world.tickets
    behaviour: [{takes: 300ms, insert: {into: tickets, key: args.service, value: {title: '${args.title}'}}, answer: {ticket: '${args.service}'}}]
grants: [{capability: ticket:write, resource: "service/**", untilStep: 4, calls: 3, tenant: acme, when: 'args.title != ""'}]
task: {goal: bench, budget: {steps: 3, cost: 20}, completion: {verify: size(world.tickets) == 1}}
model: {script: [{type: open_ticket, service: cart, title: slow}, {type: finish, summary: done}]}
`

// policies measures the policy runner against the four-tool run of the same bench.
func policies(t *table) error {
	ticket, err := loadConfig("bench.yaml", []byte(policyScenario))
	if err != nil {
		return err
	}
	data, err := os.ReadFile(sumScenario)
	if err != nil {
		return err
	}
	sum, err := loadConfig(sumScenario, data)
	if err != nil {
		return err
	}
	one := decision(ticket, `{"type":"open_ticket","service":"cart","title":"slow"}`)
	read := decision(sum, `{"type":"read","path":"src/sum.ts"}`)
	t.note("policy", fmt.Sprintf("one decision through all gates (%.1f us), to one of read", one/1e3), one/read)
	thousand, sums := many(ticket), many(sum)
	t.note("policy", fmt.Sprintf("1,000 runs of a declared tool (%.1f ms), to 1,000 sum runs", thousand/1e6), thousand/sums)
	return nil
}

// decision is the median time, in nanoseconds, from a model's bytes to the command.
func decision(cfg *runner.Config, raw string) float64 {
	const each = 200
	return timed(func() {
		for range each {
			m := machine.New(cfg.Machine)
			m.Step(machine.Input{Kind: machine.Start, Snapshot: cfg.Snapshot})
			m.Step(machine.Input{Kind: machine.Proceed})
			m.Step(machine.Input{Kind: machine.ModelOutput, Raw: []byte(raw)})
		}
	}) / each
}

// many is the median time, in nanoseconds, of a thousand runs on one core.
func many(cfg *runner.Config) float64 {
	times := make([]time.Duration, 5)
	for i := range times {
		start := time.Now()
		for range 1000 {
			runner.Run(cfg)
		}
		times[i] = time.Since(start)
	}
	return median(times)
}
