// Package cache keeps the machine code that wazero compiles between runs of a process, because
// compiling takes seconds.
package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tetratelabs/wazero"

	"github.com/tributary-agents/tributary/wasm/abi"
)

// Open opens the cache in a folder, which defaults to one in the user's cache. The caller closes it.
func Open(dir string) (wazero.CompilationCache, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			user = os.TempDir()
		}
		dir = filepath.Join(user, strings.TrimSuffix(abi.NamespacePrefix, "_v"), "wazero")
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil, fmt.Errorf("compilation cache in %s: %w", dir, err)
	}
	return cache, nil
}
