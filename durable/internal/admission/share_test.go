package admission_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
)

// TestNoticesAreShared has notices wait for room in the queue. Each is taken with its own claims.
func TestNoticesAreShared(t *testing.T) {
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, durable.Schema{Component: "chat", Steps: []string{
		`CREATE TABLE untold (n INTEGER PRIMARY KEY, react INTEGER NOT NULL, text TEXT NOT NULL, claims TEXT NOT NULL DEFAULT '')`,
	}})
	sharetest.Check(t, share.Notices, func(claims string) error {
		return admission.DeferNotice(tx, true, "a milestone", claims)
	}, func() int { return int(tx.Number(`SELECT COUNT(*) FROM untold`)) })
	if by, waits := admission.NextNotice(tx); !waits || by != sharetest.Of("m") {
		t.Errorf("the next notice is of %q", by)
	}
	for range share.Notices.Each {
		admission.TakeNotice(tx)
	}
	if by, waits := admission.NextNotice(tx); !waits || by != sharetest.Of("a") {
		t.Errorf("the next notice is of %q", by)
	}
}
