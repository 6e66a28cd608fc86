package flow_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

// show runs code at nine in the morning, loses its memory whenever it waits, and prints its result.
// Servers answer with their names, except one that is down.
func show[T any](code func(c *flow.Context) (T, error)) {
	storage, err := durabletest.OpenSQLite("")
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC).UnixMilli()
	tx := durable.NewTx(now, storage, durabletest.Rand(1))
	durable.Migrate(tx, durable.ScheduleSchema, durable.DamageSchema, flow.Schema)
	tx.SQL(`CREATE TABLE reminder (text TEXT)`)
	encoded := func(c *flow.Context) (json.RawMessage, error) {
		v, err := code(c)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}
	for {
		r := flow.Start(tx, "example", "the example", encoded, flow.Options{})
		serve(tx, r)
		result, err, done := r.Done()
		if done {
			fmt.Println(string(result), errorText(err))
			break
		}
		r.Drop()
		tx.Now = durable.NextDue(tx)
		for _, due := range durable.TakeDue(tx) {
			flow.Wake(tx, due.ID)
		}
	}
	if err := storage.Close(); err != nil {
		panic(err)
	}
}

// serve answers the requests of the code until there are no more.
func serve(tx *durable.Tx, r *flow.Routine) {
	for r.Fetching() {
		var all []durable.Fetch
		for _, c := range tx.Commands() {
			if f, ok := c.(durable.Fetch); ok {
				all = append(all, f)
			}
		}
		answer(tx, r, all[len(all)-1])
		r.Resume(tx)
	}
}

func answer(tx *durable.Tx, r *flow.Routine, f durable.Fetch) {
	u, err := url.Parse(f.URL)
	if err != nil {
		panic(err)
	}
	if u.Host == "down.test" {
		r.Fetched(tx, f.Fetch, durable.FetchFailed{Error: "no connection"})
		return
	}
	r.Fetched(tx, f.Fetch, durable.FetchResponded{Status: 200})
	r.Fetched(tx, f.Fetch, durable.FetchChunk{Data: []byte("from " + u.Host)})
	r.Fetched(tx, f.Fetch, durable.FetchEnded{})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
