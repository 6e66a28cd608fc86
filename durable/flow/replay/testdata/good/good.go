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

// charge has steps with attempts. What is told of an attempt is the same when it is run again.
func charge(c *agent.Context) (string, error) {
	list := []flow.Waitable{flow.Go(c, "a", func() (int, error) { return 1, nil }), flow.Go(c, "b", func() (string, error) { return "", nil })}
	first := flow.Next(list...)
	if err := flow.SleepUntil(c, flow.Now(c).Add(time.Hour)); err != nil {
		return "", err
	}
	return flow.Do(c, "charge", func(a *flow.Attempt) (string, error) {
		header := []durable.Header{{Name: "Idempotency-Key", Value: a.Key()}}
		response, err := flow.Fetch(a, flow.Request{Method: http.MethodPost, URL: "https://pay.test", Header: header, Repeatable: first == 0})
		if response.Status == http.StatusBadRequest {
			return "", flow.Permanent(err)
		}
		return string(response.Body), err
	}, flow.Retry{Delay: func(n int, _ error) time.Duration { return time.Duration(n) * time.Second }})
}

// All keeps everything in use.
var All = []any{charge}
