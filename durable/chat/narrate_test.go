package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/share"
)

// overseer is a world with a detached run that reaches milestones after a second. Before that the
// queue is full of requests, behind one that speaks for ten seconds.
func overseer(t *testing.T, words string) (*durabletest.World, *durabletest.Native) {
	t.Helper()
	engine := durabletest.NewNative(1, chattest.Classes()...)
	w := durabletest.NewWorld(engine, "Overseer", "room")
	act(t, w, "connect a", "say a R1 u1: tool=research class=Reporter id=r1 detached=tell "+words, "tick 500ms", "say a R2 u2: chunks=100 delay=100")
	for i := range share.Turns.Most {
		act(t, w, fmt.Sprintf("say a W%d w%d: chunks=1", i, i))
	}
	return w, engine
}

// texts are the texts of a conversation's messages, in their order.
func texts(t *testing.T, engine *durabletest.Native) []string {
	t.Helper()
	var all []string
	for _, row := range sql(t, engine, `SELECT body FROM message ORDER BY place`) {
		all = append(all, row.Text(0))
	}
	return all
}

// TestMilestonesAreToldWhenThereIsRoom checks that milestones are kept while the queue is full,
// also when the memory is lost. They are told once, in their order, before later ones.
func TestMilestonesAreToldWhenThereIsRoom(t *testing.T) {
	w, engine := overseer(t, "narrate=found,read react=drafted sleep=1s note=found note=drafted note=read note=found")
	act(t, w, "tick 5s")
	if n := sql(t, engine, `SELECT COUNT(*) FROM untold`)[0].Int(0); n != 3 {
		t.Fatalf("%d are kept, want 3", n)
	}
	act(t, w, "evict", "run")
	transcriptOf(t, w)
	var told []string
	for _, text := range texts(t, engine) {
		for _, what := range []string{"this is found", "reached a milestone: drafted", "this is read", "r1 is completed: done"} {
			if strings.Contains(text, what) {
				told = append(told, what)
			}
		}
	}
	if got, want := strings.Join(told, ", "), "this is found, reached a milestone: drafted, this is read, r1 is completed: done"; got != want {
		t.Errorf("told: %s\nwant: %s", got, want)
	}
	if n := sql(t, engine, `SELECT COUNT(*) FROM untold`)[0].Int(0); n != 0 {
		t.Errorf("%d are kept for ever", n)
	}
}

// TestRoomThatAStopMakesIsUsed checks that the room is used in the event that makes it.
func TestRoomThatAStopMakesIsUsed(t *testing.T) {
	w, engine := overseer(t, "narrate=found sleep=1s note=found sleep=1h")
	act(t, w, "tick 2s", "cancel a W7")
	if n := sql(t, engine, `SELECT COUNT(*) FROM untold`)[0].Int(0); n != 0 {
		t.Errorf("%d are kept though there is room", n)
	}
	if n := sql(t, engine, `SELECT COUNT(*) FROM narration`)[0].Int(0); n != 1 {
		t.Errorf("%d narrations wait, want 1", n)
	}
}

// TestNothingIsLeftOfANarration checks narrations that waited and were stopped or cleared, and a
// notice that was kept until there is room and was cleared. They leave no rows.
func TestNothingIsLeftOfANarration(t *testing.T) {
	for name, c := range map[string]struct {
		waits  int
		action string
	}{
		"cancelled": {3, "cancel a %s"},
		"cleared":   {3, "clear a"},
		"kept":      {share.Turns.Most, "clear a"},
	} {
		t.Run(name, func(t *testing.T) {
			engine := durabletest.NewNative(1, chattest.Classes()...)
			w := durabletest.NewWorld(engine, "Overseer", "room")
			act(t, w, "connect a", "say a R1 u1: tool=research class=Reporter id=r1 detached=tell narrate=found sleep=1s note=found", "tick 500ms", "say a R2 u2: chunks=100 delay=100")
			for i := range c.waits {
				act(t, w, fmt.Sprintf("say a W%d w%d: chunks=1", i, i))
			}
			act(t, w, "tick 2s")
			if n := sql(t, engine, `SELECT (SELECT COUNT(*) FROM narration) + (SELECT COUNT(*) FROM untold)`)[0].Int(0); n != 1 {
				t.Fatalf("%d narrations wait, want 1", n)
			}
			action := c.action
			for _, row := range sql(t, engine, `SELECT request FROM turn, narration WHERE seq = narration.turn`) {
				action = strings.ReplaceAll(action, "%s", row.Text(0))
			}
			act(t, w, action)
			if n := sql(t, engine, `SELECT (SELECT COUNT(*) FROM narration) + (SELECT COUNT(*) FROM untold)`)[0].Int(0); n != 0 {
				t.Errorf("%d rows are left", n)
			}
			act(t, w, "run")
			transcriptOf(t, w)
			if all := strings.Join(texts(t, engine), "\n"); strings.Contains(all, "this is found") {
				t.Errorf("it was told all the same: %s", all)
			}
		})
	}
}
