package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/tributary-agents/tributary/internal/jsonc"
)

// config is Wrangler's configuration, with the parts that a build depends on.
type config struct {
	CompatibilityDate string `json:"compatibility_date"`
	Assets            struct {
		Directory string `json:"directory"`
		// First is true, or the list of the paths that reach the Worker before the assets.
		First any `json:"run_worker_first"`
	} `json:"assets"`

	text []byte
}

func (p Project) config() (config, error) {
	var c config
	text, err := os.ReadFile(filepath.Join(p.Dir, ConfigFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("%s has no %s", p.Dir, ConfigFile)
	}
	if err != nil {
		return c, err
	}
	c.text = text
	if err := json.Unmarshal(jsonc.Plain(text), &c); err != nil {
		return c, jsonc.Locate(ConfigFile, text, err)
	}
	return c, nil
}

// hasPage says whether the project serves the page of this module.
func (c config) hasPage() bool { return path.Clean(c.Assets.Directory) == Folder+"/web" }
