package durable_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A room that answers one question stays small. These are the most methods of a receiver, and the most files and lines of a
// package, without tests.
const (
	mostMethods = 110
	mostFiles   = 30
	mostLines   = 4_500
)

// larger are the receivers and packages that are larger today, and how large they may be. They have to become smaller: what
// is not larger any more has to leave the list.
var larger = map[string]int{
	"methods of chat.Object":                    301,
	"methods of internal/supervisor.Supervisor": 183,
	"files of chat":                             37,
	"lines of chat":                             5950,
	"files of mcp":                              35,
	"lines of mcp":                              4550,
}

// TestShape counts methods, files and lines.
func TestShape(t *testing.T) {
	methods, files, lines := map[string]int{}, map[string]int{}, map[string]int{}
	sources(t, func(path, source string) {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "durabletest") {
			return
		}
		room := filepath.ToSlash(filepath.Dir(path))
		files[room]++
		lines[room] += strings.Count(source, "\n")
		f, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[room+"."+receiver(fn.Recv.List[0].Type)]++
			}
		}
	})
	if len(files) < 30 {
		t.Errorf("only %d packages are found", len(files))
	}
	// These stand for one object of package chat.
	for _, part := range []string{"host", "helperCall", "work"} {
		methods["chat.Object"] += methods["chat."+part]
		delete(methods, "chat."+part)
	}
	seen := map[string]bool{}
	check := func(what string, got, most int) {
		if known, ok := larger[what]; ok {
			seen[what] = true
			if got > known || got <= most {
				t.Errorf("%s: %d, at most %d, and the list of what is larger says %d", what, got, most, known)
			}
		} else if got > most {
			t.Errorf("%s: %d, at most %d", what, got, most)
		}
	}
	for name, n := range methods {
		check("methods of "+name, n, mostMethods)
	}
	for room, n := range files {
		check("files of "+room, n, mostFiles)
		check("lines of "+room, lines[room], mostLines)
	}
	for what := range larger {
		if !seen[what] {
			t.Errorf("%s: there is no such thing", what)
		}
	}
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
