// Package good is correct straight-line code, and other code that has no rules. The analyser
// reports nothing in it.
package good

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

var guard sync.Mutex

// Elsewhere is not straight-line code.
func Elsewhere(done chan int) time.Time {
	guard.Lock()
	defer guard.Unlock()
	go func() { done <- len(os.Args) }()
	<-done
	return time.Now()
}

// Straight awaits everything that could differ when it is run again.
func Straight(c *flow.Context) (json.RawMessage, error) {
	begun := flow.Now(c)
	dice := rand.New(rand.NewChaCha8([32]byte(flow.Random(c, 32))))
	pages := map[string]string{}
	for _, url := range []string{"https://a.test", "https://b.test"} {
		response, err := flow.Fetch(c, flow.Request{Method: http.MethodGet, URL: url})
		if err != nil {
			return nil, err
		}
		pages[url] = http.StatusText(response.Status)
	}
	for url := range pages { // awaits nothing
		pages[url] = strings.ToUpper(pages[url])
	}
	for _, url := range slices.Sorted(maps.Keys(pages)) {
		if err := flow.Sleep(c, time.Duration(len(url)+dice.IntN(3))*time.Second); err != nil {
			return nil, err
		}
	}
	_, err := flow.Step(c, "keep", func(tx *durable.Tx) (int, error) {
		for url := range pages {
			tx.SQL(`INSERT INTO page VALUES (?)`, url)
		}
		return keep(tx), nil
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(begun.Add(time.Hour))
}

func keep(tx *durable.Tx) int { return len(tx.SQL(`SELECT 1`)) }

// Tool is straight-line code in the form that authors of agents write.
var Tool = agent.NewTool("wait", "Waits.", func(c *agent.Context, in struct{ Names map[string]int }) (int, error) {
	branches := map[string]*flow.Branch[int]{}
	for _, name := range slices.Sorted(maps.Keys(in.Names)) {
		branches[name] = flow.Go(c, name, func() (int, error) { return 1, flow.Sleep(c, time.Hour) })
	}
	return len(branches), nil
})
