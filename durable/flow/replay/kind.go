package replay

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// kind says how code is run. Of the kinds that apply to some code, the one that is listed last
// counts.
type kind int

const (
	// ordinary code is not checked.
	ordinary kind = iota
	// once is the code of a step.
	once
	// replayed is code that is run again over its journal.
	replayed
)

// kindOf returns the kind of a function, given the kind of the code that contains or uses it. A
// function with a context is straight-line code. In such code, a function with a transaction is a
// step.
func kindOf(signature *types.Signature, in kind) kind {
	if signature == nil {
		return in
	}
	is := in
	if r := signature.Recv(); r != nil && isContext(r.Type()) {
		is = replayed
	}
	for v := range signature.Params().Variables() {
		if isContext(v.Type()) {
			is = replayed
		}
	}
	for v := range signature.Params().Variables() {
		if is != ordinary && isTx(v.Type()) {
			return once
		}
	}
	return is
}

// isContext says whether a type is a context of package flow, or embeds one.
func isContext(t types.Type) bool {
	flow := types.NewPackage(flowPath, "flow")
	return types.NewMethodSet(t).Lookup(flow, "context") != nil
}

func isTx(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(p.Elem(), corePath, "Tx")
}

func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// awaits says whether a call awaits something. It does if it is given a context and no transaction,
// or if it waits for an operation or for branches that were begun with a context.
func (c *check) awaits(call *ast.CallExpr) bool {
	given := false
	for _, argument := range call.Args {
		t := c.TypesInfo.TypeOf(argument)
		if t != nil && isTx(t) {
			return false
		}
		given = given || t != nil && isContext(t)
	}
	if given || c.joins(call) {
		return true
	}
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || c.TypesInfo.Selections[selector] == nil {
		return false
	}
	t := c.TypesInfo.TypeOf(selector.X)
	if isContext(t) {
		return !slices.Contains(told, selector.Sel.Name)
	}
	return selector.Sel.Name == "Wait" && isOurs(t)
}

// told are the methods of contexts that only tell what the code has been given.
var told = []string{"Branch", "Claims", "Detached", "Interrupted", "Key", "Number", "Routine", "Since"}

// joins says whether a call waits for branches.
func (c *check) joins(call *ast.CallExpr) bool {
	f, _ := typeutil.Callee(c.TypesInfo, call).(*types.Func)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == flowPath && f.Signature().Recv() == nil &&
		slices.Contains([]string{"All", "First", "Next"}, f.Name())
}

// isOurs says whether a type belongs to one of this project's packages.
func isOurs(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), corePath+"/")
}
