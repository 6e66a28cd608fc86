package project

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/tributary-agents/tributary/wasm/abi"
)

// checkABI checks that a module speaks the ABI of this version, by the name under which it imports
// its functions. Nothing of the module is run.
func checkABI(path string) error {
	code, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	imported, err := importedFrom(code)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range imported {
		if err := abi.CheckNamespace(name); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if strings.HasPrefix(name, abi.NamespacePrefix) {
			return nil
		}
	}
	return fmt.Errorf("%s is no module of Tributary: call tributary.Serve in an init function of the main package", path)
}

var errNoModule = errors.New("this is no WebAssembly module")

// The parts of the binary format that are needed to find the imports.
const (
	header        = "\x00asm\x01\x00\x00\x00"
	importSection = 2
	functionKind  = 0
)

// importedFrom returns the names of the modules from which a module imports functions, in order, up
// to the first import that is no function. Go imports nothing else.
func importedFrom(code []byte) ([]string, error) {
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

func importsOf(section []byte) ([]string, error) {
	var names []string
	r := reader{rest: section}
	for n := r.number(); n > 0; n-- {
		from := r.bytes(r.number())
		r.bytes(r.number()) // the function's name
		kind := r.bytes(1)
		if r.failed {
			return nil, errNoModule
		}
		if kind[0] != functionKind {
			break
		}
		r.number() // its type
		names = append(names, string(from))
	}
	return names, nil
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
