package chat_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// meter is a storage that counts statements, the rows that they return, and the bytes in them. It
// fails on a scan of all messages, or of all turns.
type meter struct {
	*durabletest.SQLite
	t     *testing.T
	known map[string]bool

	statements, rows, bytes int
}

func (m *meter) SQL(statement string, args []any) ([]durable.Row, error) {
	rows, err := m.SQLite.SQL(statement, args)
	m.statements++
	m.rows += len(rows)
	for _, row := range rows {
		for i, v := range row {
			if _, ok := v.(string); ok {
				m.bytes += len(row.Text(i))
				continue
			}
			m.bytes += 8
		}
	}
	if err == nil && !m.known[statement] {
		m.known[statement] = true
		m.explain(statement, args)
	}
	return rows, err
}

func (m *meter) explain(statement string, args []any) {
	if strings.HasSuffix(statement, "ORDER BY place DESC LIMIT ?") { // it reads the newest rows only
		return
	}
	plan, err := m.SQLite.SQL("EXPLAIN QUERY PLAN "+statement, args)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, row := range plan {
		if detail := row.Text(3); strings.HasPrefix(detail, "SCAN message") || strings.HasPrefix(detail, "SCAN m ") || strings.HasPrefix(detail, "SCAN turn") {
			m.t.Errorf("%s\n\t%s", statement, detail)
		}
	}
}

// room is an object over a meter.
type room struct {
	m      *meter
	agent  agent.Agent
	object durable.Object
	random *rand.Rand
	now    int64
}

func roomOf(t *testing.T) *room {
	t.Helper()
	db, err := durabletest.OpenSQLite("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	chat.MakeTables(db)
	return &room{agent: chattest.Subject, m: &meter{SQLite: db, t: t, known: map[string]bool{}}, random: rand.New(rand.NewSource(1))}
}

// step handles an event, and returns how many bytes were read and the commands.
func (r *room) step(event durable.Event) (read int, commands []durable.Command) {
	r.m.bytes = 0
	r.now += 60_000
	tx := durable.NewTx(r.now, r.m, func(b []byte) { r.random.Read(b) })
	if _, ok := event.(durable.Opened); ok {
		r.object = chattest.Class(r.agent).New()
	}
	r.object.Step(tx, event)
	return r.m.bytes, tx.Commands()
}

// fill puts messages of 300 bytes into the conversation.
func (r *room) fill(n int) {
	const body = `'{"id":"m' || n || '","role":"' || iif(n % 2, 'user', 'assistant') || '","parts":[{"type":"text","text":"' || printf('%0240d', n) || '"}]}'`
	_, err := r.m.SQLite.SQL(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?)
		INSERT INTO message (id, place, role, body) SELECT 'm' || n, n, iif(n % 2, 'user', 'assistant'), `+body+` FROM c`, []any{n})
	if err != nil {
		r.m.t.Fatal(err)
	}
}

// cost is the number of bytes read for each action. list lists all runs.
type cost struct{ open, connect, list, ask, answer, again int }

// costOf opens a conversation with a number of messages and ended runs. It connects, lists runs,
// asks, is answered, and asks again.
func costOf(t *testing.T, n, runs int) (c cost) {
	r := roomOf(t)
	r.agent.Methods = map[string]agent.Method{"runs": func(c *agent.Call) (any, error) {
		return len(c.Runs(run.Filter{Limit: run.MaxLimit})), nil
	}}
	r.step(durable.Opened{Name: "room"})
	r.fill(n)
	r.keepRuns(runs, 100<<10)
	c.open, _ = r.step(durable.Opened{Name: "room"})
	c.connect, _ = r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
	c.list, _ = r.step(durable.SocketMessage{Conn: "a", Text: `{"type":"rpc","id":"l","method":"runs","args":[]}`})
	c.ask, c.answer = r.ask(1)
	c.again, _ = r.ask(2)
	return c
}

// question is a request of a client that sends only its new message.
func question(n int) durable.Event {
	body := fmt.Sprintf(`{\"messages\":[{\"id\":\"u%d\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hi chunks=1\"}]}],\"trigger\":\"submit-message\"}`, n)
	frame := fmt.Sprintf(`{"type":"cf_agent_use_chat_request","id":"R%d","init":{"method":"POST","body":"%s"}}`, n, body)
	return durable.SocketMessage{Conn: "a", Text: frame}
}

// ask asks a question and waits until it is answered.
func (r *room) ask(n int) (ask, answer int) {
	ask, commands := r.step(question(n))
	for len(commands) > 0 {
		c := commands[0]
		commands = commands[1:]
		if timer, ok := c.(durable.StartTimer); ok {
			read, more := r.step(durable.TimerFired{Timer: timer.Timer})
			answer += read
			commands = append(commands, more...)
		}
		if s, ok := c.(durable.Send); ok && strings.Contains(s.Text, `"outcome":"completed"`) {
			return ask, answer
		}
	}
	r.m.t.Fatal("it was not answered")
	return 0, 0
}

// TestStartingUpReadsTheSame checks that opening a conversation costs the same however long it is,
// and that everything after is bounded (invariant I10): a new socket, a question, an answer.
func TestStartingUpReadsTheSame(t *testing.T) {
	short, long, longer := costOf(t, 10, 0), costOf(t, 10_000, 0), costOf(t, 20_000, 0)
	t.Logf("bytes read, of 10 messages: %+v; of 10,000: %+v; of 20,000: %+v", short, long, longer)
	if short.open != long.open || long.open > 10_000 {
		t.Errorf("opening reads %d bytes, and %d with 10,000 messages", short.open, long.open)
	}
	if long.answer > short.answer+1000 {
		t.Errorf("an answer reads %d bytes, and %d with 10,000 messages", short.answer, long.answer)
	}
	for _, bound := range []struct {
		what                    string
		long, longer, mostBytes int
	}{
		{"connecting", long.connect, longer.connect, 600_000},
		{"the first question", long.ask, longer.ask, 1_400_000},
		{"the next question", long.again, longer.again, 300_000},
	} {
		if bound.long > bound.mostBytes || bound.longer > bound.long+bound.long/50 {
			t.Errorf("%s reads %d bytes with 10,000 messages and %d with 20,000, want at most %d", bound.what, bound.long, bound.longer, bound.mostBytes)
		}
	}
}

// TestStartingUpReadsTheSameOfRuns checks that the cost does not grow with the number of kept runs,
// each with a summary of maximal length and an output.
func TestStartingUpReadsTheSameOfRuns(t *testing.T) {
	none, many, more := costOf(t, 10, 0), costOf(t, 10, 250), costOf(t, 10, 500)
	t.Logf("bytes read, of no runs: %+v; of 250: %+v; of 500: %+v", none, many, more)
	if none.open != more.open {
		t.Errorf("opening reads %d bytes, and %d with 500 runs", none.open, more.open)
	}
	if most := 4 << 20; more.connect > most || more.connect != many.connect {
		t.Errorf("connecting reads %d bytes with 250 runs and %d with 500, want at most %d", many.connect, more.connect, most)
	}
	if more.list > 2<<20 {
		t.Errorf("a list reads %d bytes", more.list)
	}
	if none.ask != more.ask || none.answer != more.answer || none.again != more.again {
		t.Errorf("questions read %+v, and %+v with 500 runs", none, more)
	}
}

// TestMergingReadsNoLargeMessages checks that the search for merged messages reads no large
// messages beyond those that are shown.
func TestMergingReadsNoLargeMessages(t *testing.T) {
	r := roomOf(t)
	r.agent = agent.Agent{Name: "Merging", DuringTurn: turn.Merge}
	r.step(durable.Opened{Name: "room"})
	for n := range 30 {
		body := fmt.Sprintf(`{"id":"m%d","role":"user","parts":[{"type":"text","text":"%s"}]}`, n, strings.Repeat("long ", 40_000))
		if _, err := r.m.SQLite.SQL(`INSERT INTO message (id, place, role, body) VALUES (?, ?, 'user', ?)`, []any{fmt.Sprint("m", n), n + 1, body}); err != nil {
			t.Fatal(err)
		}
	}
	r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
	r.step(question(1))
	if read, _ := r.step(question(2)); read > 1_000_000 {
		t.Errorf("a question that waits reads %d bytes", read)
	}
}
