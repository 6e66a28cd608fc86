package project

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/tributary-agents/tributary/internal/embedded"
	"github.com/tributary-agents/tributary/internal/version"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// stampFile says what a build was made with.
const stampFile = "VERSION"

// stampOf returns what a build is made with: the version of this module, a hash of what is embedded
// in it, and the version of Go.
func stampOf(tool goTool) string {
	return fmt.Sprintf("%s %s %s\n", release(), embedded.Sum(), tool.GOVERSION)
}

// release returns the version of this module that the project requires. For a module that is
// replaced by a folder it is the version that the source names.
func release() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == framework && dep.Replace == nil && dep.Version != "(devel)" {
				return dep.Version
			}
		}
	}
	return "v" + version.Version
}

// stamp returns what the build was made with that is there, "" without one.
func (p Project) stamp() string {
	text, err := os.ReadFile(p.path(stampFile))
	if err != nil {
		return ""
	}
	return string(text)
}

// refuseForeign refuses a module of another ABI in a build that says to be of this version: it was
// put there by hand. In a build of another version it is just old.
func (p Project) refuseForeign(stamp string) error {
	if p.stamp() != stamp {
		return nil
	}
	err := checkABI(p.path(agentsModule))
	if _, foreign := errors.AsType[abi.VersionError](err); foreign {
		return fmt.Errorf("%w (delete the file, and it is built anew)", err)
	}
	return nil
}
