package wire_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

const declared = `package program

import (
	"io"

	"github.com/tributary-agents/tributary/durable/wire"
)

type (
	Request struct{ Query string }
	Result  struct{ Run string }
	Other   struct{ Run string }
)

var (
	start = wire.NewMethod[Request, Result]("run.start")
	tail  = wire.NewStream[Request]("run.tail")
	mux   wire.Mux[int]
	body  io.Reader
)

func program() {
`

// TestDoesNotCompile shows what the compiler itself refuses: a type other than the declared one, at
// either end, and a stream of anything but bytes.
func TestDoesNotCompile(t *testing.T) {
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "source", nil)
	for _, c := range []struct{ name, line, want string }{
		{"good", `wire.Handle(&mux, start, func(int, Request) (Result, error) { return Result{}, nil }); start.Request(Request{}); tail.Request(Request{}); _ = body`, ""},
		{"request of another type", `start.Request(Other{})`, "cannot use Other{}"},
		{"result of another type", `var r Other; r, _ = start.Result(nil)`, "cannot use start.Result(nil)"},
		{"handler of another request", `wire.Handle(&mux, start, func(int, Other) (Result, error) { return Result{}, nil })`, "does not match"},
		{"handler of another result", `wire.Handle(&mux, start, func(int, Request) (Other, error) { return Other{}, nil })`, "does not match"},
		{"handler of another context", `wire.Handle(&mux, start, func(string, Request) (Result, error) { return Result{}, nil })`, "does not match"},
		{"stream handled as a method", `wire.Handle(&mux, tail, func(int, Request) (Result, error) { return Result{}, nil })`, "does not match"},
		{"stream of a reader", `wire.AppendFrame(nil, wire.Frame{Kind: wire.KindChunk, Body: body})`, "cannot use body"},
		{"stream of values", `wire.AppendFrame(nil, wire.Frame{Kind: wire.KindChunk, Body: Result{}})`, "cannot use Result{}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := parser.ParseFile(files, c.name, declared+c.line+"\n}\n", 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = (&types.Config{Importer: imports}).Check("program", files, []*ast.File{file}, nil)
			if got := text(err); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
