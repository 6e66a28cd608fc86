package project

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/internal/section"
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

// imported returns the functions that a module imports, in order.
func imported(code []byte) ([]function, error) {
	m, err := section.Split(code)
	if err != nil {
		return nil, err
	}
	imports, err := m.Imports()
	if err != nil {
		return nil, err
	}
	var functions []function
	for _, i := range imports {
		if i.Kind == section.KindFunction {
			functions = append(functions, function{i.From, i.Name})
		}
	}
	return functions, nil
}
