package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// storedIn returns the messages that get-messages returns for a conversation.
func storedIn(t *testing.T, w *durabletest.World) []protocol.Message {
	t.Helper()
	w.Take()
	if err := w.Do("get /get-messages"); err != nil {
		t.Fatal(err)
	}
	out := transcriptOf(t, w)
	var messages []protocol.Message
	if err := json.Unmarshal([]byte(out[strings.Index(out, "[{"):]), &messages); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	return messages
}

// TestMessageThatGrowsOverItsRowIsCompacted checks a message that grows over many steps. No call is
// lost, its metadata says what was shortened, and tabs show what is stored.
func TestMessageThatGrowsOverItsRowIsCompacted(t *testing.T) {
	w := worldOf(t, "Collector", "connect a", "say a R1 u1: fetch=12 size=250", "run")
	out := transcriptOf(t, w)
	answer := storedIn(t, w)[1]
	if n := len(answer.Encode()); n > protocol.Limits.Message || n < protocol.Limits.Message/2 {
		t.Errorf("%d bytes are stored", n)
	}
	var metadata struct{ Compacted protocol.Compacted }
	if err := json.Unmarshal(answer.Metadata, &metadata); err != nil || metadata.Compacted.From < 3_000_000 || len(metadata.Compacted.Fields) == 0 {
		t.Errorf("metadata %s, %v", answer.Metadata, err)
	}
	fold := protocol.Continue(answer)
	if n := len(fold.Calls()); n != 12 {
		t.Errorf("%d calls are left, want 12", n)
	}
	for _, id := range fold.Calls() {
		var output struct {
			Kind  string
			Items []string
		}
		if p, _ := fold.Call(id); json.Unmarshal(p.Output, &output) != nil || output.Kind != "list" || len(output.Items) == 0 {
			t.Errorf("%s has brought %.100s", id, p.Output)
		}
	}
	if updated := out[strings.LastIndex(out, "cf_agent_message_updated"):]; !strings.Contains(updated, `"compacted":{"from":`) {
		t.Errorf("the tab was not told: %.300s", updated)
	}
}

// TestMessageBuiltAtRecoveryIsCompactedAlike checks a message that recovery builds from the log,
// where everything is whole.
func TestMessageBuiltAtRecoveryIsCompactedAlike(t *testing.T) {
	whole := worldOf(t, "Collector", "connect a", "say a R1 u1: fetch=9 size=250", "run")
	lost := worldOf(t, "Collector", "connect a", "say a R1 u1: fetch=9 size=250", "tick", "tick", "tick", "tick", "tick", "tick", "tick", "tick", "tick", "evict", "run")
	if got, want := string(storedIn(t, lost)[1].Encode()), string(storedIn(t, whole)[1].Encode()); got != want {
		t.Errorf("got %d bytes, want %d: %.300s", len(got), len(want), got)
	}
}

// TestToolsOfATurnReturnOnlySoMuch checks that a result over the limit is a failure, and that the
// model is told of it.
func TestToolsOfATurnReturnOnlySoMuch(t *testing.T) {
	out := transcriptOf(t, worldOf(t, "Collector", "connect a", "say a R1 u1: fetch=18 size=250", "run"))
	if n := strings.Count(out, `tool-output-error\",\"toolCallId`); n != 2 || !strings.Contains(out, "all that they may, 4194304 bytes") {
		t.Errorf("%d outputs were refused", n)
	}
}

// asBrowser encodes JSON as a browser does, without escaping <, > and &.
func asBrowser(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// TestConversationGoesOnBehindACompactedMessage checks that the conversation continues after a
// compacted message, and that a client may post the message back.
func TestConversationGoesOnBehindACompactedMessage(t *testing.T) {
	w := worldOf(t, "Collector", "connect a", "say a R1 u1: fetch=12 size=250", "run")
	stored := storedIn(t, w)
	for i := range stored {
		stored[i].Metadata = nil
	}
	stored = append(stored, protocol.UserMessage("u2", "and now?"))
	body := asBrowser(t, map[string]any{"messages": stored, "trigger": "submit-message"})
	frame := asBrowser(t, map[string]any{
		"type": "cf_agent_use_chat_request", "id": "R2", "init": map[string]string{"method": "POST", "body": body},
	})
	for _, action := range []string{"evict", "frame a " + frame, "run"} {
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
	if out := transcriptOf(t, w); !strings.Contains(out, `"id":"R2","body":"","done":true,"outcome":"completed"`) {
		t.Errorf("got %.600s", out)
	}
}
