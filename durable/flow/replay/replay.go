// Package replay is the analyser that keeps out of straight-line code what does not
// bear being run again. It looks at every function that has a context of package flow,
// at the functions inside of it, and at those of the same package that it uses:
//
//	time.Now: the time is another one when this code is run again: use flow.Now
//
// Functions that such code gives a transaction to, as [flow.Step] does, run once: they
// may use storage and range over maps. They must not await, and have as little as other
// code a clock, chance, goroutines or a network.
//
// It sees neither what functions of other packages do nor what is kept in variables
// from one run to the next. What gets past it ends in a [flow.DivergedError], at the
// latest.
package replay

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

const (
	corePath = "github.com/tributary-agents/tributary/durable"
	flowPath = corePath + "/flow"
)

// Analyzer reports what breaks the replay of straight-line code.
var Analyzer = &analysis.Analyzer{
	Name: "replay",
	Doc:  "report what straight-line code of package flow must not do, and what to use instead",
	URL:  "https://pkg.go.dev/" + flowPath + "/replay",
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	if pass.Pkg.Path() == flowPath {
		return nil, nil // what others must not do is done here
	}
	c := &check{Pass: pass, functions: map[*types.Func]*function{}}
	c.declare()
	for _, visit := range []func(ast.Node, kind){c.spread, c.judge} {
		for _, file := range pass.Files {
			c.walk(file, ordinary, visit)
		}
	}
	return nil, nil
}

// check goes through one package.
type check struct {
	*analysis.Pass
	functions map[*types.Func]*function
}

// function is a function that the package declares.
type function struct {
	decl *ast.FuncDecl
	kind kind
}

// declare finds the package's functions, each of the kind that its parameters say.
func (c *check) declare() {
	for _, file := range c.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			if f, ok := c.TypesInfo.Defs[decl.Name].(*types.Func); ok {
				c.functions[f] = &function{decl, kindOf(f.Signature(), ordinary)}
			}
		}
	}
}

// spread makes a function that is used of the kind that it is used as.
func (c *check) spread(n ast.Node, k kind) {
	id, ok := n.(*ast.Ident)
	if !ok {
		return
	}
	used, _ := c.TypesInfo.Uses[id].(*types.Func)
	f := c.functions[used]
	if f == nil {
		return
	}
	if as := kindOf(used.Signature(), k); as > f.kind {
		f.kind = as
		c.walk(f.decl.Body, as, c.spread)
	}
}

// walk visits a node and everything in it, each with the kind of code that it is in.
func (c *check) walk(node ast.Node, k kind, visit func(ast.Node, kind)) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if f := c.function(n); f != nil {
				c.walk(n.Body, f.kind, visit)
			}
			return false
		case *ast.FuncLit:
			signature, _ := c.TypesInfo.TypeOf(n).(*types.Signature)
			c.walk(n.Body, kindOf(signature, k), visit)
			return false
		case nil:
			return false
		}
		visit(n, k)
		return true
	})
}

// function returns what is known of a declaration, or nil.
func (c *check) function(d *ast.FuncDecl) *function {
	f, _ := c.TypesInfo.Defs[d.Name].(*types.Func)
	return c.functions[f]
}
