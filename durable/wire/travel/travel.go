// Package travel is the analyser that keeps what cannot travel out of calls
// between objects: it looks at every wire.NewMethod and wire.NewStream and walks
// the types that they declare.
//
// Its rules are those by which durable/wire compiles its codecs when a program
// starts; a test holds the two to the same words. Here they fail before the
// program runs, and all of them at once:
//
//	StartRequest.Options.OnDone: a function cannot travel between objects
package travel

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

const wirePath = "github.com/tributary-agents/tributary/durable/wire"

// Analyzer reports the fields of requests and results that cannot travel.
var Analyzer = &analysis.Analyzer{
	Name: "travel",
	Doc:  "report what is declared to travel between objects and cannot",
	URL:  "https://pkg.go.dev/" + wirePath + "/travel",
	Run:  run,
}

// declarations are the functions of wire that declare types, with what their
// type arguments are called where they have no name of their own.
var declarations = map[string][]string{
	"NewMethod": {"request", "result"},
	"NewStream": {"request"},
}

func run(pass *analysis.Pass) (any, error) {
	for _, id := range declared(pass) {
		roles := declarations[id.Name]
		arguments := pass.TypesInfo.Instances[id].TypeArgs
		for i := range arguments.Len() {
			w := walk{func(path, reason string) { pass.Reportf(id.Pos(), "%s: %s", path, reason) }}
			w.visit(arguments.At(i), rootName(arguments.At(i), roles[i]), nil)
		}
	}
	return nil, nil
}

// declared finds the places where a declaring function meets its types, from the
// top of the first file to the end of the last.
func declared(pass *analysis.Pass) []*ast.Ident {
	var found []*ast.Ident
	for id := range pass.TypesInfo.Instances {
		object := pass.TypesInfo.Uses[id]
		if f, ok := object.(*types.Func); !ok || f.Pkg() == nil || f.Pkg().Path() != wirePath {
			continue
		}
		if _, ok := declarations[id.Name]; ok {
			found = append(found, id)
		}
	}
	slices.SortFunc(found, func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	return found
}

func rootName(t types.Type, role string) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Name()
	case *types.Basic:
		if t.Kind() != types.UnsafePointer {
			return t.Name()
		}
		return "Pointer"
	}
	return role
}
