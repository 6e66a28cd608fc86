package worker_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/tributary-agents/tributary/worker"
)

// A front door of one's own that lets everybody into one conversation, and nobody into another. Its
// main function hands the handler to [worker.Serve].
func ExampleHandler() {
	lobby := func(_ worker.Settings, _ *http.Request, to worker.Address, _ time.Time) (worker.Access, error) {
		if to.Name != "lobby" {
			return worker.Access{}, &worker.Refusal{Status: http.StatusForbidden, Text: "Forbidden: only the lobby is open"}
		}
		return worker.Access{Subject: "somebody"}, nil
	}
	settings := worker.Settings{Bindings: []string{"Assistant"}} // worker.SettingsFrom(os.Getenv)
	door := worker.Handler(settings, time.Now, worker.Options{Authorize: lobby})

	for _, path := range []string{"/agents/assistant/lobby", "/agents/assistant/attic"} {
		w := httptest.NewRecorder()
		door.ServeHTTP(w, httptest.NewRequest("GET", "https://example.com"+path, nil))
		fmt.Printf("%s: %d %q\n", path, w.Code, w.Body)
	}
	// Output:
	// /agents/assistant/lobby: 204 ""
	// /agents/assistant/attic: 403 "Forbidden: only the lobby is open"
}
