package replay

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// judge reports a node that code of its kind must not contain.
func (c *check) judge(n ast.Node, k kind) {
	if k == ordinary {
		return
	}
	switch n := n.(type) {
	case *ast.GoStmt:
		c.report(n.Pos(), "go", goroutine)
	case *ast.SendStmt:
		c.report(n.Arrow, "a channel", channel)
	case *ast.SelectStmt:
		c.report(n.Pos(), "select", channel)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.report(n.Pos(), "a channel", channel)
		}
	case *ast.RangeStmt:
		c.ranges(n, k)
	case *ast.CallExpr:
		if k == once && c.awaits(n) {
			c.report(n.Pos(), "an await", nested)
		}
	case *ast.SelectorExpr:
		if t := c.TypesInfo.TypeOf(n.X); k == replayed && t != nil && isTx(t) {
			c.report(n.Pos(), "storage", storage)
		}
	case *ast.Ident:
		c.uses(n, k)
	}
}

func (c *check) report(at token.Pos, what, why string) { c.Reportf(at, "%s: %s", what, why) }

// ranges checks the operand of a loop.
func (c *check) ranges(n *ast.RangeStmt, k kind) {
	t := c.TypesInfo.TypeOf(n.X)
	if t == nil {
		return
	}
	switch t.Underlying().(type) {
	case *types.Chan:
		c.report(n.X.Pos(), "a channel", channel)
	case *types.Map:
		c.unordered(n, k)
	case *types.Signature:
		if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && c.isFromMap(call) {
			c.unordered(n, k)
		}
	}
}

// isFromMap says whether a call makes an iterator of package maps.
func (c *check) isFromMap(call *ast.CallExpr) bool {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f := c.TypesInfo.Uses[selector.Sel]
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "maps"
}

// unordered reports a loop over a map if its body awaits.
func (c *check) unordered(n *ast.RangeStmt, k kind) {
	if k != replayed {
		return
	}
	awaits := false
	ast.Inspect(n.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		awaits = awaits || ok && c.awaits(call)
		return !awaits
	})
	if awaits {
		c.report(n.Pos(), "range", order)
	}
}

// uses checks the object that a name refers to.
func (c *check) uses(id *ast.Ident, k kind) {
	used := c.TypesInfo.Uses[id]
	if used == nil || used.Pkg() == nil {
		return
	}
	why := refused(used)
	if why == nil {
		return
	}
	c.report(id.Pos(), nameOf(used), why[k])
}

// nameOf returns an object's name in the form in which it is written.
func nameOf(o types.Object) string {
	path := o.Pkg().Path()
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		return strings.TrimPrefix(types.TypeString(f.Signature().Recv().Type(), (*types.Package).Name), "*") + "." + o.Name()
	}
	if strings.HasPrefix(path, "math/rand/") {
		return "rand." + o.Name()
	}
	return o.Pkg().Name() + "." + o.Name()
}
