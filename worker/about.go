package worker

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/internal/about"
	"github.com/tributary-agents/tributary/internal/version"
)

// health answers that the front door runs, and its version.
func health(w http.ResponseWriter, r *http.Request) {
	if onlyRead(w, r) {
		writeJSON(w, map[string]any{"ok": true, "version": version.Version})
	}
}

// introduce answers what a page asks before it shows anything: package about says what that is.
func (g *gateway) introduce(w http.ResponseWriter, r *http.Request) {
	if g.settings.allowOrigin(w.Header(), r) && r.Method == http.MethodOptions {
		return
	}
	if !onlyRead(w, r) {
		return
	}
	a, err := g.about()
	if err != nil {
		refuse(w, r, &Refusal{Status: http.StatusInternalServerError, Text: "The about.json of this deployment cannot be read"})
		return
	}
	if g.settings.Development && g.settings.checkLocal(r) == nil {
		a.Dev = g.settings.Dev
	}
	writeJSON(w, a)
}

// about returns the build's description without the roots that have no binding. Without a
// description every binding is a root, by its name alone.
func (g *gateway) about() (about.About, error) {
	if g.settings.About == "" {
		var roots []about.Root
		for _, binding := range g.settings.Bindings {
			if g.table[protocol.Kebab(binding)] == binding {
				roots = append(roots, about.Root{Class: binding})
			}
		}
		return about.New(roots...), nil
	}
	a, err := about.Parse(g.settings.About)
	if err != nil {
		return about.About{}, err
	}
	a.Roots = slices.DeleteFunc(a.Roots, func(r about.Root) bool { return g.table[r.Agent] == "" })
	return a, nil
}

// onlyRead reports whether a request only reads, and refuses it otherwise.
func onlyRead(w http.ResponseWriter, r *http.Request) bool {
	return takes(w, r, http.MethodGet, http.MethodHead)
}

// takes reports whether a request has one of the methods that its path takes, and refuses it otherwise.
func takes(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	if slices.Contains(methods, r.Method) {
		return true
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	refuse(w, r, &Refusal{Status: http.StatusMethodNotAllowed, Text: "Method not allowed"})
	return false
}

// writeJSON answers a value that no cache keeps.
func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(value)
}
