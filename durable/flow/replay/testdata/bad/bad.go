// Package bad is straight-line code as it must not be: the analyser reports each line
// with the words of its comment.
package bad

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

var guard sync.Mutex

func clocks(c *flow.Context) error {
	begun := time.Now()              // want `time.Now: the time is another one when this code is run again: use flow.Now`
	if time.Since(begun) > time.Hour { // want `time.Since: .* use flow.Now`
		time.Sleep(time.Second) // want `time.Sleep: waiting blocks every object of the instance: use flow.Sleep, or flow.Within for a limit`
	}
	<-time.After(time.Second)                                              // want `a channel: .*` `time.After: .*`
	_, cancel := context.WithTimeout(context.Background(), time.Minute) // want `context.WithTimeout: .* flow.Within`
	defer cancel()
	return flow.Sleep(c, time.Second)
}

func chances(_ flow.Awaiter) (int, error) {
	b := make([]byte, 8)
	if _, err := crand.Read(b); err != nil { // want `rand.Read: .* use flow.Random`
		return 0, err
	}
	return rand.IntN(6), nil // want `rand.IntN: chance is another one when this code is run again: use flow.Random`
}

// Tool has its code in a literal.
var Tool = agent.NewTool("t", "Does what it must not.", func(c *agent.Context, _ struct{}) (int, error) {
	done := make(chan int)
	go func() { // want `go: a goroutine cannot await, and is lost with its instance: use flow.Go`
		done <- 1 // want `a channel: .*`
	}()
	select { // want `select: waiting for a channel blocks every object of the instance: use flow.Go, and Branch.Wait`
	case n := <-done: // want `a channel: .*`
		return n, nil
	default:
	}
	for n := range done { // want `a channel: .*`
		return n, nil
	}
	guard.Lock()         // want `sync.Mutex.Lock: one piece of code runs at a time`
	defer guard.Unlock() // want `sync.Mutex.Unlock: .*`
	return helper(), nil
})

// helper is used by straight-line code, and is run again with it.
func helper() int {
	return time.Now().Nanosecond() // want `time.Now: .*`
}

func network(_ *flow.Context) (int, error) {
	if _, err := os.ReadFile(os.Args[0]); err != nil { // want `os.ReadFile: there are no files and no environment` `os.Args: .*`
		return 0, err
	}
	if _, err := net.Dial("tcp", "x.test:80"); err != nil { // want `net.Dial: the network is reached by awaiting: use flow.Fetch, or package transport`
		return 0, err
	}
	response, err := http.Get("https://x.test") // want `http.Get: .*`
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequest(http.MethodGet, "https://x.test", nil)
	if err != nil {
		return 0, err
	}
	_, err = http.DefaultClient.Do(request) // want `http.DefaultClient: .*`
	return response.StatusCode, err
}

func maps1(c *flow.Context, urls map[string]bool) error {
	for url := range urls { // want `range: a map has another order when this code is run again, and this loop awaits: range over slices.Sorted\(maps.Keys\(m\)\)`
		if _, err := flow.Fetch(c, flow.Request{URL: url}); err != nil {
			return err
		}
	}
	begun := map[string]*flow.Branch[int]{}
	for _, b := range begun { // want `range: .*`
		if _, err := b.Wait(); err != nil {
			return err
		}
	}
	for url := range maps.Keys(urls) { // want `range: .*`
		c.Await(flow.Op{Name: url})
	}
	return nil
}

func steps(c *flow.Context, tx *durable.Tx) flow.Func {
	return func(c *flow.Context) (json.RawMessage, error) {
		tx.SQL(`SELECT 1`) // want `storage: what it holds is another thing when this code is run again: use it in a flow.Step`
		_, err := flow.Step(c, "s", func(tx *durable.Tx) (time.Time, error) {
			if err := flow.Sleep(c, time.Second); err != nil { // want `an await: what a step awaits is lost when the code is run again: await outside of it`
				return time.Time{}, err
			}
			time.Sleep(time.Second)     // want `time.Sleep: .* a step takes no time: use flow.Sleep outside of it`
			go clocks(c)                // want `go: .*` `an await: .*`
			return time.Now(), chance() // want `time.Now: an event has one time: use tx.Now`
		})
		return nil, err
	}
}

func attempts(c *flow.Context, orders map[string]*flow.Branch[int]) error {
	for name, b := range orders { // want `range: .*`
		flow.Next(b)
		println(name)
	}
	_, err := flow.Do(c, "charge", func(a *flow.Attempt) (time.Time, error) {
		if err := flow.SleepUntil(a, time.Now()); err != nil { // want `time.Now: the time is another one when this code is run again: use flow.Now`
			return time.Time{}, err
		}
		_, err := flow.Step(a, "s", func(*durable.Tx) (int, error) {
			return flow.Do(a, "inner", func(*flow.Attempt) (int, error) { return 1, nil }) // want `an await: .*`
		})
		return charged(), err
	})
	return err
}

// charged is used by the code of an attempt.
func charged() time.Time {
	time.Sleep(time.Second) // want `time.Sleep: waiting blocks every object of the instance.*`
	return time.Now()       // want `time.Now: .*`
}

// chance is used by a step.
func chance() error {
	_, err := crand.Read(nil) // want `rand.Read: chance comes through the transaction: use tx.Random`
	return err
}

// All keeps everything in use.
var All = []any{clocks, chances, network, maps1, steps, attempts}
