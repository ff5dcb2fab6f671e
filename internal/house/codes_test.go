package house_test

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"
	"testing"
)

const codeType = module + "/internal/diag.Code"

// code is one *diag.Code of the source.
type code struct {
	owner  string            // the package that defines it
	name   string            // of the variable
	pos    string            // where it is defined
	fields map[string]string // the constant fields it is made with
}

// codesOf gives the package-level codes of a package, in no certain order, and
// complains about a code that is made anywhere else.
func (c *checked) codesOf(t *testing.T) []code {
	t.Helper()
	var codes []code
	inVariables := map[ast.Expr]bool{}
	for _, file := range c.files {
		for _, decl := range file.tree.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok {
					codes = append(codes, c.codesIn(t, values, inVariables)...)
				}
			}
		}
		ast.Inspect(file.tree, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			// diag makes the codes that scenarios declare.
			if ok && !inVariables[literal] && isCode(c.info.Types[literal].Type) && c.path != "internal/diag" {
				t.Errorf("%s: a code is made outside a package-level variable of its own", fset.Position(n.Pos()))
			}
			return true
		})
	}
	return codes
}

// codesIn gives the codes among the variables of one specification, and marks
// the literals they are made with.
func (c *checked) codesIn(t *testing.T, values *ast.ValueSpec, literals map[ast.Expr]bool) []code {
	t.Helper()
	var codes []code
	for i, name := range values.Names {
		variable, ok := c.info.Defs[name].(*types.Var)
		if !ok {
			continue
		}
		pointer, ok := types.Unalias(variable.Type()).(*types.Pointer)
		if !ok || !isCode(pointer.Elem()) {
			continue
		}
		found := code{c.path, name.Name, fset.Position(name.Pos()).String(), nil}
		if i < len(values.Values) {
			if literal := codeLiteral(values.Values[i]); literal != nil {
				literals[literal] = true
				found.fields = c.constants(literal)
			}
		}
		if found.fields == nil {
			t.Errorf("%s: %s must be written as &diag.Code{…}", found.pos, name.Name)
		}
		codes = append(codes, found)
	}
	return codes
}

func isCode(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.String() == codeType
}

// codeLiteral is the literal in &T{…}, nil for any other expression.
func codeLiteral(e ast.Expr) *ast.CompositeLit {
	if address, ok := e.(*ast.UnaryExpr); ok {
		literal, _ := address.X.(*ast.CompositeLit)
		return literal
	}
	return nil
}

// constants gives the fields of a literal that have constant texts.
func (c *checked) constants(literal *ast.CompositeLit) map[string]string {
	fields := map[string]string{}
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		value := c.info.Types[pair.Value].Value
		if key, ok := pair.Key.(*ast.Ident); ok && value != nil && value.Kind() == constant.String {
			fields[key.Name] = constant.StringVal(value)
		}
	}
	return fields
}

// everyCode is the codes of the whole module.
func everyCode(t *testing.T) []code {
	t.Helper()
	var codes []code
	for _, p := range allPackages(t) {
		if c := typed(t, p); c != nil {
			codes = append(codes, c.codesOf(t)...)
		}
	}
	if len(codes) == 0 {
		t.Fatal("no code found")
	}
	return codes
}

func TestCodesAreWellFormed(t *testing.T) {
	upperSnake := regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
	first := map[string]code{}
	for _, c := range everyCode(t) {
		name := c.fields["Name"]
		if !upperSnake.MatchString(name) {
			t.Errorf("%s: the name %q is not UPPER_SNAKE", c.pos, name)
		}
		if other, seen := first[name]; seen {
			t.Errorf("%s: %s is taken by %s in %s", c.pos, name, other.name, other.owner)
		}
		first[name] = c
		for _, field := range []string{"Class", "Means", "Do"} {
			if strings.TrimSpace(c.fields[field]) == "" {
				t.Errorf("%s: %s has no %s", c.pos, name, field)
			}
		}
		rejection := c.fields["Class"] == "rejection"
		if rejection != (c.fields["Retry"] != "") {
			t.Errorf("%s: %s: Retry belongs to a rejection, and to nothing else", c.pos, name)
		}
		if rejection && c.fields["Gate"] == "" {
			t.Errorf("%s: %s is a rejection without a gate", c.pos, name)
		}
	}
}

// A code that Codes leaves out cannot be explained; nor can one of a package
// whose Codes nobody asks for.
func TestCodesAreListed(t *testing.T) {
	asked, lists := map[string]bool{}, map[string]bool{}
	for _, p := range allPackages(t) {
		c := typed(t, p)
		if c == nil {
			continue
		}
		for _, object := range c.info.Uses {
			if f, ok := object.(*types.Func); ok && f.Name() == "Codes" && f.Pkg() != c.types {
				asked[strings.TrimPrefix(f.Pkg().Path(), module+"/")] = true
			}
		}
		listed := c.listed()
		for _, code := range c.codesOf(t) {
			lists[p.path] = true
			if n := listed[code.name]; n != 1 {
				t.Errorf("%s: Codes of %s lists %s %d times; want once", code.pos, p.path, code.name, n)
			}
		}
	}
	for name := range lists {
		// The top package gathers the lists, and has its own at hand.
		if !asked[name] && name != "internal/cli" {
			t.Errorf("nobody calls Codes of %s, so its codes cannot be explained", name)
		}
	}
}

// listed counts the package-level variables that are named in Codes.
func (c *checked) listed() map[string]int {
	count := map[string]int{}
	for _, file := range c.files {
		for _, decl := range file.tree.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || function.Name.Name != "Codes" || function.Recv != nil {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				if ident, ok := n.(*ast.Ident); ok {
					if v, ok := c.info.Uses[ident].(*types.Var); ok && v.Parent() == c.types.Scope() {
						count[ident.Name]++
					}
				}
				return true
			})
		}
	}
	return count
}
