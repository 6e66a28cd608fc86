package scaffold

import (
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"strings"
)

// oldestGo is the oldest Go that builds a project.
const oldestGo = "go1.26"

// checkGo refuses to make a project that the Go on this machine cannot build. A go command that may
// fetch another one by itself is new enough.
func checkGo() error {
	cmd := exec.Command("go", "env", "GOVERSION", "GOTOOLCHAIN")
	cmd.Dir = os.TempDir() // a go.mod around the project may choose another version
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("the go command does not run, install Go %s or newer: %w", oldestGo[2:], err)
	}
	have, toolchain, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if version.IsValid(have) && version.Compare(have, oldestGo) < 0 && !strings.HasSuffix(toolchain, "auto") {
		return fmt.Errorf("this is Go %s: install Go %s or newer", strings.TrimPrefix(have, "go"), oldestGo[2:])
	}
	return nil
}
