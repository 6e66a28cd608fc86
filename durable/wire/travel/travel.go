// Package travel is the analyser of the types that travel between objects. It checks the types that
// each wire.NewMethod and each wire.NewStream declares.
//
// Its rules are the rules by which durable/wire compiles its codecs when a program starts. A test
// compares the texts of both. The analyser reports all faults at once, before the program runs:
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

// declarations are the functions of package wire that declare types, with the names of type
// arguments that have no name of their own.
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

// declared finds the calls of declaring functions with their types, in the order of files and
// lines.
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
