package chat_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// isKind says whether a constant is a kind of entries of the schedule, by its name.
var isKind = regexp.MustCompile(`^[Dd]ue([A-Z].*)?$`)

// TestEachKindHasARoom checks that the function which finds the room of an entry names each kind: with a constant, or with the
// list Kinds of a room that has the constant.
func TestEachKindHasARoom(t *testing.T) {
	declared, listed, named := map[string]bool{}, map[string][]string{}, map[string]bool{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "durabletest":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		room := file.Name.Name
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				for _, spec := range n.Specs {
					values, ok := spec.(*ast.ValueSpec)
					if !ok {
						continue
					}
					for i, name := range values.Names {
						switch {
						case n.Tok == token.CONST && isKind.MatchString(name.Name):
							declared[room+"."+name.Name] = true
						case name.Name == "Kinds":
							for _, kind := range values.Values[i].(*ast.CompositeLit).Elts {
								listed[room] = append(listed[room], room+"."+kind.(*ast.Ident).Name)
							}
						}
					}
				}
			case *ast.FuncDecl:
				if n.Name.Name == "handleKind" {
					addNames(named, room, n.Body)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(declared, "chat.dueTimer")    // the timer at which a helper looks what has fallen due
	delete(declared, "action.DueNotice") // the supervisor's kind of the same text
	if len(declared) < 20 || len(listed) < 4 {
		t.Fatalf("found %d kinds, and lists of %d rooms", len(declared), len(listed))
	}
	for room, kinds := range listed {
		if named[room+".Kinds"] {
			for _, kind := range kinds {
				named[kind] = true
			}
		}
	}
	for kind := range declared {
		if !named[kind] {
			t.Errorf("nothing handles an entry of the kind %s", kind)
		}
	}
}

// addNames adds the names in a piece of code, each with its package.
func addNames(names map[string]bool, room string, code ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok {
				names[of.Name+"."+n.Sel.Name] = true
			}
			return false
		case *ast.Ident:
			names[room+"."+n.Name] = true
		}
		return true
	})
}
