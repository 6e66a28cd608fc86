package approval_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
)

// TestApprovalsAreShared has people's turns leave calls that wait.
func TestApprovalsAreShared(t *testing.T) {
	tx, n := at(durabletest.Memory(t), 1), 0
	durable.Migrate(tx, durable.Schema{Component: "chat", Steps: []string{
		`CREATE TABLE ask (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, message TEXT NOT NULL, run TEXT NOT NULL,
			state TEXT NOT NULL, goes_on INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0,
			asked INTEGER NOT NULL DEFAULT 0, claims TEXT NOT NULL DEFAULT '', routine TEXT NOT NULL DEFAULT '', told TEXT NOT NULL DEFAULT '')`,
	}})
	sharetest.Check(t, share.Approvals, func(claims string) error {
		if err := approval.Refusal(tx, claims, 0); err != nil {
			return err
		}
		n++
		approval.Ask(tx, approval.Call{ID: fmt.Sprint(n), Message: "m", Claims: claims})
		return nil
	}, func() int { return int(tx.Number(`SELECT COUNT(*) FROM ask`)) })
	if approval.Refusal(tx, "", 0) == nil {
		t.Error("there is room for one more")
	}
	tx.SQL(`DELETE FROM ask`)
	if approval.Refusal(tx, sharetest.Of("m"), share.Approvals.Each-1) != nil || approval.Refusal(tx, sharetest.Of("m"), share.Approvals.Each) == nil {
		t.Error("what waits without a row is not counted")
	}
}
