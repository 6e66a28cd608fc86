package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/internal/embedded"
)

// workerPaths are the paths that the Worker answers. Where a project serves a page, they have to reach
// the Worker before the page's files.
var workerPaths = []string{"/agents/*", "/health", "/tributary.json", "/mcp", "/.well-known/*"}

// advise says what the project's own files should say now: what this version was tested with.
func (p Project) advise(c config) error {
	tested := embedded.Tested()
	if c.CompatibilityDate != tested.CompatibilityDate {
		p.say("%s: this version was tested with \"compatibility_date\": %q", ConfigFile, tested.CompatibilityDate)
	}
	if missing := c.missingPaths(); len(missing) > 0 {
		text, err := json.Marshal(missing)
		if err != nil {
			return err
		}
		p.say("%s: add to assets.run_worker_first: %s", ConfigFile, strings.Trim(string(text), "[]"))
	}
	return p.adviseVersions(map[string]string{"wrangler": tested.Wrangler, "node": tested.Node})
}

// missingPaths returns the paths of the Worker that would be answered with a file.
func (c config) missingPaths() []string {
	if c.Assets.Directory == "" || c.Assets.First == true {
		return nil
	}
	patterns, _ := c.Assets.First.([]any)
	return slices.DeleteFunc(slices.Clone(workerPaths), func(wanted string) bool {
		return slices.ContainsFunc(patterns, func(pattern any) bool {
			text, _ := pattern.(string)
			return covers(text, wanted)
		})
	})
}

// covers says whether a pattern of run_worker_first takes in a path, or all of a pattern.
func covers(pattern, wanted string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(wanted, prefix)
	}
	return pattern == wanted
}

// adviseVersions says which npm packages of package.json should have another version. A range counts
// as the version that it begins with.
func (p Project) adviseVersions(tested map[string]string) error {
	text, err := os.ReadFile(filepath.Join(p.Dir, "package.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var have struct{ Dependencies, DevDependencies map[string]string }
	if err := json.Unmarshal(text, &have); err != nil {
		return fmt.Errorf("package.json: %w", err)
	}
	for _, name := range []string{"node", "wrangler"} {
		version := have.DevDependencies[name]
		if version == "" {
			version = have.Dependencies[name]
		}
		if version == "" {
			continue // such as a Node that is installed otherwise
		}
		if strings.TrimLeft(version, "^~=v") != tested[name] {
			p.say("package.json: this version was tested with %q: %q", name, tested[name])
		}
	}
	return nil
}
