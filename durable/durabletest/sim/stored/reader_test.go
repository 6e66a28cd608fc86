package stored_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// TestOnlyKnownTablesMayBeMissing reads tables of an object that was never opened: one that it would
// make, and two that no object makes.
func TestOnlyKnownTablesMayBeMissing(t *testing.T) {
	engine := durabletest.NewNative(1)
	defer engine.Close()
	r := stored.NewReader(engine)
	if rows := r.Rows("room", `SELECT * FROM message`); rows != nil {
		t.Errorf("got %v, want no rows", rows)
	}
	for _, statement := range []string{`SELECT * FROM massage`, `SELECT * FROM message_at`} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", statement)
				}
			}()
			r.Rows("room", statement)
		}()
	}
}
