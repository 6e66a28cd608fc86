package mcpclient

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/inspection"
)

// Sections returns what a developer sees of the servers: no header, no token and no session. A URL is shown
// without its query.
func (r *Servers) Sections(tx *durable.Tx) []inspection.Table {
	t := inspection.Table{Name: "servers", Columns: []string{"id", "name", "url", "state", "version", "tools", "changed", "error", "read_at", "stale_at"}}
	for _, s := range r.List(tx) {
		changed := 0
		for _, tool := range s.Offer.Tools {
			if tool.Changed {
				changed++
			}
		}
		place, _, _ := strings.Cut(s.URL, "?")
		t.Add(s.ID, s.Name, place, string(s.State), s.Version, len(s.Offer.Tools), changed, s.Failure, inspection.When(s.ReadAt), inspection.When(s.StaleAt))
	}
	return []inspection.Table{t}
}
