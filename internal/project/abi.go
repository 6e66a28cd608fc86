package project

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/wasm/abi"
)

// scriptImport is the function of the ABI that only a module which runs scripts imports.
const scriptImport = "script"

// checkABI checks that a module speaks the ABI of this version, by the name under which it imports
// its functions. Nothing of the module is run.
func checkABI(path string) error {
	imports, err := importsIn(path)
	if err != nil {
		return err
	}
	for _, f := range imports {
		if err := abi.CheckNamespace(f.module); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if strings.HasPrefix(f.module, abi.NamespacePrefix) {
			return nil
		}
	}
	return fmt.Errorf("%s is no module of Tributary: call tributary.Serve in an init function of the main package", path)
}

// runsScripts reports whether a module needs the engine of scripts, by what it imports.
func runsScripts(path string) (bool, error) {
	imports, err := importsIn(path)
	return slices.Contains(imports, function{abi.Namespace, scriptImport}), err
}

// function is a function that a module imports.
type function struct{ module, name string }

// importsIn returns the functions that the module in a file imports.
func importsIn(path string) ([]function, error) {
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	imports, err := imported(code)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return imports, nil
}

var errNoModule = errors.New("this is no WebAssembly module")

// The parts of the binary format that are needed to find the imports.
const (
	header        = "\x00asm\x01\x00\x00\x00"
	importSection = 2
	functionKind  = 0
)

// imported returns the functions that a module imports, in order, up to the first import that is no
// function. Go imports nothing else.
func imported(code []byte) ([]function, error) {
	rest, ok := bytes.CutPrefix(code, []byte(header))
	if !ok {
		return nil, errNoModule
	}
	for r := (reader{rest: rest}); len(r.rest) > 0; {
		kind := r.bytes(1)
		section := r.bytes(r.number())
		if r.failed {
			return nil, errNoModule
		}
		if kind[0] == importSection {
			return importsOf(section)
		}
	}
	return nil, nil
}

func importsOf(section []byte) ([]function, error) {
	var imports []function
	r := reader{rest: section}
	for n := r.number(); n > 0; n-- {
		from, name := r.bytes(r.number()), r.bytes(r.number())
		kind := r.bytes(1)
		if r.failed {
			return nil, errNoModule
		}
		if kind[0] != functionKind {
			break
		}
		r.number() // its type
		imports = append(imports, function{string(from), string(name)})
	}
	return imports, nil
}

// reader reads the binary format of modules.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) bytes(n uint64) []byte {
	if r.failed || n > uint64(len(r.rest)) {
		r.failed = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
