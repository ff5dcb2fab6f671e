package house_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func TestBansNameSomething(t *testing.T) {
	imports, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range banned {
		if b.reason == "" {
			t.Errorf("%s is banned without a reason", b.what)
		}
		owner, name, ok := b.member()
		if !ok {
			if out, err := run(nil, "go", "list", b.what+"/..."); err != nil || len(out) == 0 {
				t.Errorf("%s is banned, but there is no such package (%v)", b.what, err)
			}
			continue
		}
		p, err := imports.Import(owner)
		if err != nil {
			t.Errorf("%s is banned, but its package is not there: %v", b.what, err)
		} else if p.Scope().Lookup(name) == nil {
			t.Errorf("%s is banned, but %s has no %s", b.what, owner, name)
		}
	}
}

func TestPurePackagesKeepTheBans(t *testing.T) {
	for _, p := range purePackages(t) {
		if c := typed(t, p); c != nil {
			report(t, c.bannedUses())
		}
	}
}

func TestPurePackagesAreSequential(t *testing.T) {
	for _, p := range purePackages(t) {
		for _, file := range p.files {
			report(t, concurrency(file.tree))
		}
	}
}

// The order of a map differs from run to run. What ranges over one says in a
// comment of its own, on the line or the one before, why the order cannot show:
//
//	// order: the sum is the same in any order
func TestPurePackagesDoNotShowMapOrder(t *testing.T) {
	for _, p := range purePackages(t) {
		if c := typed(t, p); c != nil {
			for _, file := range p.files {
				report(t, c.mapOrders(file.tree))
			}
		}
	}
}

// report fails the test with each finding.
func report(t *testing.T, findings []string) {
	t.Helper()
	for _, finding := range findings {
		t.Error(finding)
	}
}

// bannedUses finds what a package imports or uses though it is banned.
func (c *checked) bannedUses() []string {
	var findings []string
	for name, pos := range c.imports() {
		for _, b := range banned {
			if below(name, b.what) {
				findings = append(findings, fmt.Sprintf("%s: %s must not import %s: %s", pos, c.path, name, b.reason))
			}
		}
	}
	for ident, object := range c.info.Uses {
		if reason := bannedObject(object); reason != "" {
			pos := fset.Position(ident.Pos())
			findings = append(findings, fmt.Sprintf("%s: %s must not use %s: %s", pos, c.path, ident.Name, reason))
		}
	}
	return findings
}

// bannedObject gives the reason why pure packages must not use a function, type
// or variable of another package; "" if they may.
func bannedObject(object types.Object) string {
	if object.Pkg() == nil || object.Parent() != object.Pkg().Scope() {
		return ""
	}
	name := object.Pkg().Path() + "." + object.Name()
	for _, b := range banned {
		if b.what == name {
			return b.reason
		}
	}
	return ""
}

// concurrency finds goroutines and channels in a file.
func concurrency(file *ast.File) []string {
	var findings []string
	ast.Inspect(file, func(n ast.Node) bool {
		if what := concurrent(n); what != "" {
			findings = append(findings, fmt.Sprintf("%s: %s in a pure package: its result would depend on scheduling",
				fset.Position(n.Pos()), what))
		}
		return true
	})
	return findings
}

// concurrent names what a node does with goroutines or channels, "" if nothing.
func concurrent(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "go statement"
	case *ast.SelectStmt:
		return "select"
	case *ast.ChanType:
		return "channel type"
	case *ast.SendStmt:
		return "send"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "receive"
		}
	}
	return ""
}

// mapOrders finds where a file lets the order of a map be seen, unexplained.
func (c *checked) mapOrders(file *ast.File) []string {
	var findings []string
	explained := orderComments(file)
	sorted := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		what := c.mapOrder(n, sorted)
		if what == "" {
			return true
		}
		pos := fset.Position(n.Pos())
		if !explained[pos.Line] && !explained[pos.Line-1] {
			findings = append(findings, fmt.Sprintf("%s: %s: sort, or say why the order cannot show: // order: REASON", pos, what))
		}
		return true
	})
	return findings
}

// orderComments gives the lines with a comment that explains a map's order.
func orderComments(file *ast.File) map[int]bool {
	lines := map[int]bool{}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			reason, ok := strings.CutPrefix(comment.Text, "// order:")
			if ok && strings.TrimSpace(reason) != "" {
				lines[fset.Position(comment.Pos()).Line] = true
			}
		}
	}
	return lines
}

// mapOrder names how a node lets the order of a map be seen, "" if it does not.
// Calls that are in sorted may; they are collected on the way down.
func (c *checked) mapOrder(n ast.Node, sorted map[ast.Expr]bool) string {
	switch n := n.(type) {
	case *ast.RangeStmt:
		// With neither key nor value every round is the same.
		if n.Key != nil && isMap(c.info.Types[n.X].Type) {
			return "range over a map"
		}
	case *ast.CallExpr:
		switch name := c.callee(n); name {
		case "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc":
			sorted[n.Args[0]] = true
		case "maps.Keys", "maps.Values", "maps.All", "(*sync.Map).Range",
			"(reflect.Value).MapKeys", "(reflect.Value).MapRange", "(reflect.Value).Seq", "(reflect.Value).Seq2":
			if !sorted[n] {
				return name
			}
		}
	}
	return ""
}

// callee is the full name of the function or method that is called, "" if it has
// none.
func (c *checked) callee(call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	switch instance := fun.(type) {
	case *ast.IndexExpr:
		fun = instance.X
	case *ast.IndexListExpr:
		fun = instance.X
	}
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	function, ok := c.info.Uses[selector.Sel].(*types.Func)
	if !ok {
		return ""
	}
	return function.FullName()
}

// isMap reports whether a value of the type is a map, or may be one where the
// type is a parameter.
func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	if parameter, ok := types.Unalias(t).(*types.TypeParam); ok {
		return constrainedToMap(parameter.Constraint())
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func constrainedToMap(constraint types.Type) bool {
	switch u := constraint.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Interface:
		for embedded := range u.EmbeddedTypes() {
			if constrainedToMap(embedded) {
				return true
			}
		}
	case *types.Union:
		for i := range u.Len() {
			if constrainedToMap(u.Term(i).Type()) {
				return true
			}
		}
	}
	return false
}
