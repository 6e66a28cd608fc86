package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tributary-agents/tributary/internal/embedded"
	"github.com/tributary-agents/tributary/internal/jsonc"
)

// platform returns the versions that the tests of this repository run with: the compatibility date
// of its Worker, and the versions of Wrangler and Node in its lock file.
func platform(root string) ([]byte, error) {
	var config struct {
		CompatibilityDate string `json:"compatibility_date"`
	}
	text, err := os.ReadFile(filepath.Join(root, "wrangler.jsonc"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(jsonc.Plain(text), &config); err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	text, err = os.ReadFile(filepath.Join(root, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	p := embedded.Platform{
		CompatibilityDate: config.CompatibilityDate,
		Wrangler:          lock.Packages["node_modules/wrangler"].Version,
		Node:              lock.Packages["node_modules/node"].Version,
	}
	if p.CompatibilityDate == "" || p.Wrangler == "" || p.Node == "" {
		return nil, fmt.Errorf("wrangler.jsonc or package-lock.json lacks a version: %+v", p)
	}
	out, err := json.MarshalIndent(p, "", "  ")
	return append(out, '\n'), err
}
