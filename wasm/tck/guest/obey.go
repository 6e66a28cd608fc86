package main

import (
	crand "crypto/rand"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// obey follows an order: its first word is the verb, and the others are the parameters. Rows that a
// trap has written before must not be there afterwards.
func (p *probe) obey(tx *durable.Tx, text string, say func(string)) {
	word, rest, _ := strings.Cut(text, " ")
	n, _ := strconv.Atoi(rest)
	switch word {
	case "count":
		count(tx)
		say(fmt.Sprintf("count %d steps %d", tally(tx), p.steps))
	case "values":
		say(values(tx))
	case "big":
		row := tx.SQL(`SELECT hex(zeroblob(?)), zeroblob(?)`, n/2, n)[0]
		say(fmt.Sprintf("big %d %d", len(row.Text(0)), len(row.Blob(1))))
	case "many": // runs so many different statements, each one twice
		sum := int64(0)
		for i := range 2 * n {
			sum += tx.SQL("SELECT " + strconv.Itoa(i/2))[0].Int(0)
		}
		say(fmt.Sprintf("many %d", sum))
	case "echo":
		say(rest)
	case "random":
		say("random " + tx.NewID() + " " + order())
	case "draw":
		// The last number comes from Go's runtime, which is seeded when the instance starts.
		say(fmt.Sprintf("draw %s %s %d", tx.NewID(), crand.Text(), rand.Uint64()))
	case "cost":
		say(costs(tx))
	case "seen":
		say(seen(tx))
	case "busy":
		p.busy = n != 0
		say(fmt.Sprintf("busy %v", p.busy))
	case "hold":
		p.held = append(p.held, make([]byte, n))
		p.bytes += n
		say(fmt.Sprintf("holding %d", p.bytes))
	case "orphan":
		orphan(tx)
		say("never seen")
	case "lost":
		say(fmt.Sprintf("lost %q", p.lost))
	case "now":
		say(strconv.FormatInt(tx.Now, 10))
	case "timer":
		tx.Do(durable.StartTimer{Timer: "probe", After: int64(n)})
		say("timer")
	case "alarm":
		tx.Do(durable.SetAlarm{At: tx.Now + int64(n)})
		say("alarm")
	case "failalarm": // sets an alarm that fails the first time
		tx.SQL(`INSERT INTO failing (word) VALUES (?)`, rest)
		tx.Do(durable.SetAlarm{At: tx.Now + 1})
		say("failalarm")
	case "fetch":
		tx.Do(durable.Fetch{Fetch: "probe", Method: "GET", URL: rest, Header: []durable.Header{{Name: "authorization", Value: "Bearer ", Secret: "PROBE_KEY"}}})
		say("fetch")
	case "infer":
		tx.Do(durable.Fetch{Fetch: "probe", Method: "POST", URL: durable.BindingURL(rest, "@cf/probe"), Body: []byte(`{"prompt":"é","stream":true}`)})
		say("infer")
	case "forget":
		tx.Do(durable.CancelFetch{Fetch: "probe"})
		say("forget")
	default:
		if !p.ask(tx, word, rest, say) {
			trap(tx, word, say)
		}
	}
}

// trap writes a row and then dies in the given way.
func trap(tx *durable.Tx, word string, say func(string)) {
	count(tx)
	say("never seen")
	switch word {
	case "panic":
		panic("asked to")
	case "nil":
		var nobody *probe
		nobody.steps++
	case "exit":
		os.Exit(3)
	case "deadlock":
		select {}
	case "sleep":
		time.Sleep(time.Hour)
	case "sql":
		tx.SQL(`SELECT * FROM nowhere`)
	case "stack":
		say(strconv.Itoa(deep(1)))
	case "oom":
		for hoard := [][]byte{}; ; {
			hoard = append(hoard, make([]byte, 64<<20))
			hoard[len(hoard)-1][0] = 1
		}
	}
}

// deep calls itself for ever, with small frames. So the host's stack is exhausted while Go's is still
// small. With large ones, Go's stack would grow to hundreds of megabytes, and the memory could be
// exhausted first.
func deep(n int) int {
	if n < 0 {
		return n
	}
	return deep(n+1) + n
}

// orphan writes a row that storage refuses at the commit.
func orphan(tx *durable.Tx) {
	count(tx)
	tx.SQL(`CREATE TABLE parent (id INTEGER PRIMARY KEY);
		CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);
		INSERT INTO child (parent) VALUES (1)`)
}

func count(tx *durable.Tx) { tx.SQL(`INSERT INTO n (v) VALUES (1)`) }

func tally(tx *durable.Tx) int64 { return tx.SQL(`SELECT count(*) FROM n`)[0].Int(0) }

func values(tx *durable.Tx) string {
	var b strings.Builder
	for _, v := range []any{nil, int64(0), int64(-1), int64(1<<53 - 1), 1.5, -2.5e300, "", "é\U0001F600", []byte{}, []byte{0, 255}, true, 2.0} {
		got := tx.SQL(`SELECT ?, typeof(?)`, v, v)[0]
		fmt.Fprintf(&b, "%T %v %s; ", got[0], printable(got[0]), got.Text(1))
	}
	return b.String()
}

func printable(v any) any {
	switch v := v.(type) {
	case string:
		return strconv.QuoteToASCII(v)
	case []byte:
		return hex.EncodeToString(v)
	}
	return v
}

// order returns the order in which this instance iterates a map, which its seed decides.
func order() string {
	m := map[int]bool{}
	for i := range 16 {
		m[i] = true
	}
	var b strings.Builder
	for i := range m {
		fmt.Fprintf(&b, "%x", i)
	}
	return b.String()
}

func seen(tx *durable.Tx) string {
	var b strings.Builder
	for _, row := range tx.SQL(`SELECT event FROM seen ORDER BY rowid`) {
		fmt.Fprintln(&b, row.Text(0))
	}
	return b.String()
}

func costs(tx *durable.Tx) string {
	var b strings.Builder
	for _, c := range tx.Costs() {
		fmt.Fprintf(&b, "%q %d: %d statements, %d read, %d written, %d down, %d up\n", c.Path, c.Since, c.Statements, c.RowsRead, c.RowsWritten, c.Down, c.Up)
	}
	return b.String()
}
