package worker

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// Version is the version that the health endpoint reports.
const Version = "0.1.0"

// Handler returns the front door. It reads the clock once for each request.
func Handler(s Settings, now func() time.Time) http.Handler {
	return &gateway{settings: s, table: NewTable(s.Bindings), now: now}
}

type gateway struct {
	settings Settings
	table    Table
	now      func() time.Time
}

// ServeHTTP answers a request. The package comment lists the three kinds of answers.
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/health" {
		health(w, r)
		return
	}
	to, err := g.table.Route(r.URL)
	if !errors.Is(err, ErrNotFound) && !isUpgrade(r) {
		allowed := g.settings.allowOrigin(w.Header(), r)
		if allowed && err == nil && r.Method == http.MethodOptions {
			return
		}
	}
	var until time.Time
	if err == nil {
		until, err = Authorize(g.settings, r, to, g.now())
	}
	if err == nil {
		forward(w, to, until)
		return
	}
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		refusal = &Refusal{Status: http.StatusForbidden, Text: "Forbidden"}
	}
	refuse(w, r, refusal)
}

func health(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, &Refusal{Status: http.StatusMethodNotAllowed, Text: "Method not allowed"})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "version": Version})
}
