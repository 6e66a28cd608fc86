// Package replay is the analyser of straight-line code, which is run again over its journal. It
// reports code that would do something else then. It checks every function that has a context of
// package flow, the functions inside it, and the functions of the same package that it uses:
//
//	time.Now: the time is another one when this code is run again: use flow.Now
//
// A function that gets a transaction from such code, as from [flow.Step], runs once. It may use
// storage and range over maps. It must not await, and like other straight-line code it must not use
// a clock, randomness, goroutines or a network.
//
// The analyser does not see what functions of other packages do, nor what variables keep from one
// run to the next. Such code ends in a [flow.DivergedError] when it is run again.
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

// Analyzer reports code that must not be in straight-line code.
var Analyzer = &analysis.Analyzer{
	Name: "replay",
	Doc:  "report what straight-line code of package flow must not do, and what to use instead",
	URL:  "https://pkg.go.dev/" + flowPath + "/replay",
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	if pass.Pkg.Path() == flowPath {
		return nil, nil // this package implements what other code must not do
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

// check is the analysis of one package.
type check struct {
	*analysis.Pass
	functions map[*types.Func]*function
}

// function is a function that the package declares.
type function struct {
	decl *ast.FuncDecl
	kind kind
}

// declare finds the functions of the package. Their parameters decide their kinds.
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

// spread gives a function that is used the kind of its use, if that kind is listed later than its
// own.
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

// walk visits a node and all nodes in it, each with the kind of its code.
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

// function returns the package's record of a declared function, or nil.
func (c *check) function(d *ast.FuncDecl) *function {
	f, _ := c.TypesInfo.Defs[d.Name].(*types.Func)
	return c.functions[f]
}
