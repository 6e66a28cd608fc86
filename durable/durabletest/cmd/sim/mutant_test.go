package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file puts all faults into the core for one build. Each function with a fault gets a twin
// that contains the fault. The function calls the twin if an environment variable chooses the
// fault.

// chosen is the environment variable with the number of the fault, counted from 1.
const chosen = "TRIBUTARY_FAULT"

// overlay writes the overlay with which the go command builds the core with all faults.
func overlay(t *testing.T) (list string) {
	t.Helper()
	for i := range mutations {
		if err := mutations[i].locate(); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	replace := map[string]string{}
	add := func(path string, body []byte) {
		changed := filepath.Join(dir, strings.ReplaceAll(path, string(filepath.Separator), "-"))
		write(t, changed, body)
		replace[path] = changed
	}
	for _, file := range faultyFiles() {
		path, err := filepath.Abs(filepath.Join(core, file))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, changed, err := withFaults(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		add(path, []byte(changed))
		add(filepath.Join(filepath.Dir(path), "fault_is.go"), []byte("package "+name+"\n\nimport \"os\"\n\nvar faultIs = os.Getenv(\""+chosen+"\")\n"))
	}
	body, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list = filepath.Join(dir, "overlay.json")
	write(t, list, body)
	return list
}

// locate replaces a pattern in m.file by the file that contains m.old.
func (m *mutation) locate() error {
	if !strings.Contains(m.file, "*") {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(core, m.file))
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), m.old) {
			m.file, err = filepath.Rel(core, path)
			return err
		}
	}
	return fmt.Errorf("%s: no file of %s has what the fault replaces:\n%s", m.name, m.file, m.old)
}

func faultyFiles() (files []string) {
	for _, m := range mutations {
		files = append(files, m.file)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// withFaults returns a file with all of its faults, and the name of its package.
func withFaults(file, text string) (name, changed string, err error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return "", "", err
	}
	calls := map[string]string{} // the calls of twins, by function
	var twins bytes.Buffer
	for i, m := range mutations {
		if m.file != file {
			continue
		}
		twin, of, err := m.twin(text, i+1)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", m.name, err)
		}
		twins.WriteString("\n" + twin + "\n")
		call, err := callOf(text, set, function(parsed, of), i+1)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", m.name, err)
		}
		calls[of] += call
	}
	var out strings.Builder
	from := 0
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && calls[nameOf(f)] != "" {
			at := set.Position(f.Body.Lbrace).Offset + 1
			out.WriteString(text[from:at] + calls[nameOf(f)])
			from = at
		}
	}
	return parsed.Name.Name, out.String() + text[from:] + twins.String(), nil
}

// twin returns the text of a function with the fault in it, under another name, and the name of the
// function.
func (m mutation) twin(text string, number int) (twin, of string, err error) {
	if n := strings.Count(text, m.old); n != 1 {
		return "", "", fmt.Errorf("%s has %d times what the fault replaces, want it once:\n%s", m.file, n, m.old)
	}
	at := strings.Index(text, m.old)
	text = strings.Replace(text, m.old, m.new, 1)
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, m.file, text, parser.SkipObjectResolution)
	if err != nil {
		return "", "", err
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || at < set.Position(f.Pos()).Offset || at > set.Position(f.End()).Offset {
			continue
		}
		begin, name, end := set.Position(f.Pos()).Offset, set.Position(f.Name.End()).Offset, set.Position(f.End()).Offset
		if end < at+len(m.new) {
			return "", "", fmt.Errorf("it reaches beyond %s", f.Name.Name)
		}
		return text[begin:name] + suffix(number) + text[name:end], nameOf(f), nil
	}
	return "", "", fmt.Errorf("it is in no function of %s", m.file)
}

func suffix(number int) string { return fmt.Sprintf("WithFault%d", number) }

// nameOf returns the name of a function. For a method, the name of its type comes first.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	return fmt.Sprint(of) + "." + f.Name.Name
}

func function(file *ast.File, name string) *ast.FuncDecl {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && nameOf(f) == name {
			return f
		}
	}
	return nil
}

// callOf returns the statement by which a function calls its twin if the fault with the number is
// chosen.
func callOf(text string, set *token.FileSet, f *ast.FuncDecl, number int) (string, error) {
	if f == nil {
		return "", fmt.Errorf("the function has another name with it")
	}
	var args []string
	for _, p := range f.Type.Params.List {
		dots := ""
		if _, variadic := p.Type.(*ast.Ellipsis); variadic {
			dots = "..."
		}
		if len(p.Names) == 0 || p.Names[0].Name == "_" {
			return "", fmt.Errorf("a parameter of %s has no name: %s", f.Name.Name, text[set.Position(p.Pos()).Offset:set.Position(p.End()).Offset])
		}
		for _, name := range p.Names {
			args = append(args, name.Name+dots)
		}
	}
	call := f.Name.Name + suffix(number)
	if f.Recv != nil {
		call = f.Recv.List[0].Names[0].Name + "." + call
	}
	call += "(" + strings.Join(args, ", ") + ")"
	if f.Type.Results == nil {
		return fmt.Sprintf(" if faultIs == \"%d\" { %s; return };", number, call), nil
	}
	return fmt.Sprintf(" if faultIs == \"%d\" { return %s };", number, call), nil
}

func write(t *testing.T, path string, body []byte) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
}
