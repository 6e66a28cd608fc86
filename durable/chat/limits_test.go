package chat_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

func world(t *testing.T, actions ...string) *durabletest.World {
	t.Helper()
	class := chattest.Class(chattest.Subject)
	w := durabletest.NewWorld(durabletest.NewNative(1, class), class.Name, "room")
	for _, action := range actions {
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func transcriptOf(t *testing.T, w *durabletest.World) string {
	t.Helper()
	out := strings.Join(w.Take(), "\n")
	if strings.Contains(out, "trap") {
		t.Fatalf("trapped: %.300s", out)
	}
	return out
}

// TestMarkupIsNotSixTimesItsSize: a message of angle brackets still fits its row.
func TestMarkupIsNotSixTimesItsSize(t *testing.T) {
	out := transcriptOf(t, world(t, "connect a", "say a R1 u1: chunks=1 "+strings.Repeat("<", 1_000_000), "run"))
	if !strings.Contains(out, `"outcome":"completed"`) {
		t.Errorf("got %.300s", out)
	}
}

// TestAnswerThatGrowsTooLongIsCutOff, and the conversation goes on.
func TestAnswerThatGrowsTooLongIsCutOff(t *testing.T) {
	w := world(t, "connect a", "say a R1 u1: chunks=1000 size=65536", "run", "evict", "say a R2 u2: chunks=1", "run")
	out := transcriptOf(t, w)
	for _, want := range []string{"grew too long", `"id":"R2","body":"","done":true,"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestLongQuestionIsAsked: the newest message is part of what the model is told,
// however long it is.
func TestLongQuestionIsAsked(t *testing.T) {
	w := world(t, "var MODEL_PROVIDER=openai", "var MODEL_NAME=m", "var MODEL_BASE_URL=http://127.0.0.1:9/v1", "connect a",
		"say a R1 u1: "+strings.Repeat("why ", 350_000))
	if out := transcriptOf(t, w); !strings.Contains(out, "why why") || !strings.Contains(out, "fetch ") {
		t.Errorf("got %.300s", out)
	}
}
