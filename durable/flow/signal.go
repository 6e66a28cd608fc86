package flow

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Signal is a message to a run, as its code has received it.
type Signal[T any] struct {
	// ID identifies the signal in its run. It is made by chance if the sender has given none.
	ID      string
	Payload T
	// At is when the run's owner has taken the signal.
	At time.Time
	// From is the subject of the claims of the client or the request that has sent the signal. It is ""
	// for a signal that code has sent, and in development.
	From string
}

// Receive waits for the next signal of a name to the run whose code this is, and returns it. The
// wait holds nothing. [Within] limits it.
//
// Signals of a name are received in the order in which they have come, each of them once. A signal
// that nobody waits for is kept. If several branches wait for signals of one name, the next signal
// goes to the branch that waits longest. A Receive that is cancelled takes none.
//
// The error says that the name is none, that this is not the code of a run, or that the payload does
// not fit T. In the last case the signal is received: it is returned without its payload.
func Receive[T any](c Awaiter, name string) (Signal[T], error) {
	r := c.context().routine
	if err := CheckSignalName(name); err != nil {
		return Signal[T]{}, err
	}
	if !r.signalled {
		return Signal[T]{}, fmt.Errorf("%s receives no signals: they are sent to runs, and this is the code of none", r.code)
	}
	data, err := c.context().Await(Op{Name: "receive " + name, Begin: func(*durable.Tx, Key) {}, signal: name}).Wait()
	if err != nil {
		return Signal[T]{}, err
	}
	var got received
	if err := json.Unmarshal(data, &got); err != nil {
		return Signal[T]{}, fmt.Errorf("the signal %s: %w", name, err)
	}
	s := Signal[T]{ID: got.ID, At: time.UnixMilli(got.At).UTC(), From: got.From}
	if err := json.Unmarshal(got.Payload, &s.Payload); err != nil {
		return s, fmt.Errorf("the payload of the signal %s, %s: %w", name, got.ID, err)
	}
	return s, nil
}

// received is the journaled form of a signal.
type received struct {
	ID      string          `json:"id"`
	Payload json.RawMessage `json:"payload"`
	At      int64           `json:"at"`
	From    string          `json:"from,omitempty"`
}

// CheckSignalName says what is wrong with the name of a signal.
func CheckSignalName(name string) error {
	if !limit.IsName(name, limit.SignalName) {
		return fmt.Errorf("the name of a signal has 1 to %d bytes of text without control characters: %.40q", limit.SignalName, name)
	}
	return nil
}

// Receives says whether the code waits for a signal.
func (r *Routine) Receives() bool {
	r.receiving = slices.DeleteFunc(r.receiving, func(e *entry) bool { return e.ended > 0 })
	return !r.over && len(r.receiving) > 0
}

// addReceiver notes an await that waits for a signal, behind those that began before it.
func (r *Routine) addReceiver(e *entry) {
	at, _ := slices.BinarySearchFunc(r.receiving, e, func(a, b *entry) int { return a.key.Position - b.key.Position })
	r.receiving = slices.Insert(r.receiving, at, e)
}

// takeSignal gives the oldest signal that is waited for to the oldest await that waits for it, and
// says whether there was one. It is called when no coroutine can continue, so what the code does
// with a signal decides who gets the next: a branch that the code cancels takes none.
func (r *Routine) takeSignal() bool {
	if !r.Receives() {
		return false
	}
	names := make([]string, len(r.receiving))
	for i, e := range r.receiving {
		names[i] = e.op.signal
	}
	s, ok := takeKept(r.tx, r.options.Inbox, names)
	if !ok {
		return false
	}
	e := r.receiving[slices.Index(names, s.Name)]
	r.journal.complete(r.tx, e, limit.MustMarshal(received{ID: s.ID, Payload: s.Payload, At: s.At, From: s.From}), "", "")
	return true
}
