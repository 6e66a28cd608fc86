// Command frontdoor is the Worker's Go program.
package main

import (
	"log"
	"os"
	"time"

	"github.com/tributary-agents/tributary/worker"
)

func main() {
	settings := worker.SettingsFrom(os.Getenv)
	handler := worker.Handler(settings, time.Now, worker.Options{})
	worker.Rehearse(settings, handler)
	log.Fatal(worker.Serve(handler))
}
