// Command trapdoor is a front door whose Admit dies, hangs, or answers what cannot be sent when it is
// asked to, for the tests of the bridge. It answers how many requests its instance has seen.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/worker"
)

func main() {
	seen := 0
	traps := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen++
		switch r.URL.Path {
		case "/panic":
			panic("asked to")
		case "/exit":
			os.Exit(3)
		case "/block":
			<-make(chan struct{})
		case "/sleep":
			time.Sleep(time.Hour)
		case "/long":
			fmt.Fprint(w, strings.Repeat("x", 1<<20))
		case "/forge":
			w.Header().Set(worker.HeaderBinding, "Assistant")
			w.Header().Set(worker.HeaderName, "x")
		}
		fmt.Fprint(w, seen)
	})
	settings := worker.SettingsFrom(os.Getenv)
	log.Fatal(worker.Serve(worker.Handler(settings, time.Now, worker.Options{Admit: traps})))
}
