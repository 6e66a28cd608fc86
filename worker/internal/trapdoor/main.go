// Command trapdoor is a front door that dies or hangs when it is asked to, for the tests of the
// bridge. It answers how many requests its instance has seen.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/tributary-agents/tributary/worker"
)

func main() {
	seen := 0
	log.Fatal(worker.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
		}
		fmt.Fprint(w, seen)
	})))
}
