package tck

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/wasm/host"
)

// TestStoredRunsFitIntoTheModule connects to a conversation with as many runs as are kept: with
// long summaries, and with as many chunks as are replayed, each as small as a model's.
func TestStoredRunsFitIntoTheModule(t *testing.T) {
	_, module := shipped(t)
	const word = `{"type":"text-delta","id":"p1","delta":"word"}`
	for _, test := range []struct {
		name string
		// summary is the length of each run's summary, in bytes. newest and next are the numbers of
		// words in the logs of the last two runs.
		summary, newest, next int
	}{
		{"long summaries", 100 << 10, 0, 0},
		{"as many words as are replayed", 100, 30_000, 40_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			engine := host.NewEngine(module, host.EngineOptions{Seed: 1})
			defer func() {
				if err := engine.Close(); err != nil {
					t.Error(err)
				}
			}()
			opened := durable.Opened{Class: "Assistant", Name: "room"}
			// step handles an event and the timers that it starts.
			step := func(now int64, event durable.Event) (sent int) {
				for events := []durable.Event{event}; len(events) > 0; events = events[1:] {
					commands, err := engine.Step("room", now, opened, events[0])
					if err != nil {
						t.Fatal(err)
					}
					for _, c := range commands {
						switch c := c.(type) {
						case durable.Send:
							sent += len(c.Text)
						case durable.StartTimer:
							events = append(events, durable.TimerFired{Timer: c.Timer})
						}
					}
				}
				return sent
			}
			storage, err := engine.Storage("room")
			if err != nil {
				t.Fatal(err)
			}
			durable.Migrate(durable.NewTx(0, storage, nil), run.Schema, stream.Schema) // conversations make them by need
			step(1, durable.SocketOpened{Conn: "a", URL: "/agents/assistant/room?_pk=a"})
			insert := func(statement string, args ...any) {
				if _, err := storage.SQL(statement, args); err != nil {
					t.Fatal(err)
				}
			}
			insert(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
				INSERT INTO run (id, class, turn, tool_call, place, input, prompt, schema, preview, display, delivery, timeout, status, summary, begun_at, ended_at)
				SELECT 'call_' || printf('%016d', n), 'Researcher', 1, 'call_' || printf('%016d', n), 0, '', '', '', '', '', 'all', 0, 'completed', printf('%0*d', ?, n), 1, 1 FROM c`, test.summary)
			for run, words := range map[int]int{500: test.newest, 499: test.next} {
				insert(`UPDATE run SET next = ? WHERE seq = ?`, words, run)
				for first := 0; first < words; first += 10_000 {
					body := strings.TrimSuffix(strings.Repeat(word+"\n", 10_000), "\n")
					insert(`INSERT INTO chunk (stream, first, count, body) VALUES (?, ?, 10000, ?)`, -run, first, body)
				}
			}
			sent := step(2, durable.SocketOpened{Conn: "b", URL: "/agents/assistant/room?_pk=b"})
			if least := (test.newest + test.next) * len(word); sent < least || sent < 2<<20 {
				t.Errorf("%d bytes are sent", sent)
			}
			t.Logf("%d bytes are sent", sent)
		})
	}
}
