package client_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/client"
)

// TestCall checks results and errors of methods.
func TestCall(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	type sum struct{ Total int }
	for _, test := range []struct {
		name, answer string
		want         sum
		err          string
	}{
		{"a result", `"success":true,"done":true,"result":{"total":3}`, sum{3}, ""},
		{"a result in pieces", `"success":true,"done":false,"result":1}` + "\n" + `"success":true,"done":true,"result":{"total":3}`, sum{3}, ""},
		{"a result without done", `"success":true,"result":{"total":3}`, sum{3}, ""},
		{"no result", `"success":true,"done":true`, sum{}, ""},
		{"another result", `"success":true,"done":true,"result":"three"`, sum{}, "client: result of add: json: cannot unmarshal string into Go value of type client_test.sum"},
		{"an error", `"success":false,"error":"Method add does not exist"`, sum{}, "client: add: Method add does not exist"},
	} {
		type result struct {
			got sum
			err error
		}
		results := make(chan result, 1)
		go func() {
			got, err := client.Call[sum](t.Context(), conv, "add", 1, "two")
			results <- result{got, err}
		}()
		r := c.expect("rpc")
		if r.Method != "add" || !reflect.DeepEqual(r.Args, []any{1.0, "two"}) {
			t.Errorf("%s: got the call %s", test.name, r.text)
		}
		for answer := range strings.SplitSeq(test.answer, "}\n") {
			c.send(`{"type":"rpc","id":"` + r.ID + `",` + answer + `}`)
		}
		got := <-results
		if got.got != test.want || (got.err == nil) != (test.err == "") || got.err != nil && got.err.Error() != test.err {
			t.Errorf("%s: got %v and %v", test.name, got.got, got.err)
		}
	}
	if _, err := client.Call[int](t.Context(), conv, "add", func() {}); err == nil {
		t.Error("a function is an argument")
	}
}

// TestCallIsSentOnce breaks the connection under a call, and makes another call while there is none.
func TestCallIsSentOnce(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	interrupted := make(chan error, 1)
	go func() { _, err := client.Call[int](t.Context(), conv, "first"); interrupted <- err }()
	c.expect("rpc")
	c.closeWith(0)
	if err := <-interrupted; !errors.Is(err, client.ErrInterrupted) {
		t.Errorf("got %v", err)
	}
	c = s.next(t)
	c.greet()
	call(t, conv, c)
}

// TestContextOfCall ends a call with its context.
func TestContextOfCall(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := client.Call[int](ctx, conv, "slow"); ended <- err }()
	r := c.expect("rpc")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	c.send(`{"type":"rpc","id":"` + r.ID + `","success":true,"done":true}`) // is ignored
	call(t, conv, c)
}
