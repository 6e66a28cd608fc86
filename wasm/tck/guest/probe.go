package main

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

func classes() []durable.Class {
	return []durable.Class{
		{Name: "Probe", New: func() durable.Object { return &probe{} }},
		{Name: "Source", New: func() durable.Object { return &source{streams: map[string]*numbers{}} }},
	}
}

// probe follows the order in a message or a request, and answers its sender.
type probe struct {
	// steps counts the events of this in-memory part.
	steps int
	// conn is the socket that is sent the events other than messages.
	conn durable.ConnID
	// lost is how the previous in-memory part was lost.
	lost  durable.Loss
	busy  bool
	bytes int
	held  [][]byte
	// reader reads the stream of a facet.
	reader reader
	// responses are the responses to requests that are being streamed.
	responses map[string]*numbers
}

// Load implements [durable.Object].
func (p *probe) Load() durable.Load { return durable.Load{Busy: p.busy, Bytes: p.bytes} }

// Step implements [durable.Object].
func (p *probe) Step(tx *durable.Tx, event durable.Event) {
	p.steps++
	switch e := event.(type) {
	case durable.Opened:
		p.wake(tx, e)
	case durable.SocketMessage:
		say := func(text string) { tx.Do(durable.Send{To: []durable.ConnID{e.Conn}, Text: text}) }
		if e.Binary {
			note(tx, event)
			return
		}
		if e.Text == "claims" {
			say("claims " + e.Claims)
			return
		}
		if e.Text == "close" {
			tx.Do(durable.Close{Conn: e.Conn, Code: 4001, Reason: "asked to"})
			return
		}
		p.obey(tx, e.Text, say)
	case durable.RequestReceived:
		if p.respond(tx, e) {
			return
		}
		word := strings.TrimPrefix(e.URL, "/")
		p.obey(tx, strings.ReplaceAll(word, "/", " "), func(text string) {
			tx.Do(durable.Respond{Request: e.Request, Status: 200, Header: map[string]string{"content-type": "text/plain"}, Body: []byte(text)})
		})
	case durable.SocketOpened:
		if e.URL == "/refused" {
			tx.Do(durable.Close{Conn: e.Conn, Code: 4404, Reason: "not here"})
			return
		}
		p.conn = e.Conn
		note(tx, event)
	default:
		if p.heard(tx, event) || p.streamed(tx, event) {
			return
		}
		if _, ok := event.(durable.AlarmFired); ok {
			p.failAlarm(tx)
		}
		note(tx, event)
		p.tell(tx, described(event))
	}
}

func described(event durable.Event) string { return fmt.Sprintf("%T %+v", event, event) }

func (p *probe) wake(tx *durable.Tx, e durable.Opened) {
	tx.SQL(`CREATE TABLE IF NOT EXISTS n (v INTEGER)`)
	tx.SQL(`CREATE TABLE IF NOT EXISTS seen (event TEXT)`)
	tx.SQL(`CREATE TABLE IF NOT EXISTS reading (v INTEGER)`)
	tx.SQL(`CREATE TABLE IF NOT EXISTS failing (word TEXT)`)
	tx.Log(durable.Info, "opened", "name", e.Name, "conns", fmt.Sprint(len(e.Conns)), "vars", fmt.Sprint(e.Vars), "secrets", fmt.Sprint(e.Secrets))
	p.lost = e.Lost
	switch e.Vars["OPENED"] {
	case "orphan":
		orphan(tx)
	case "panic":
		panic("asked to")
	}
	if len(e.Conns) > 0 {
		p.conn = e.Conns[0]
	}
	if len(tx.SQL(`SELECT v FROM reading`)) > 0 {
		p.closed(tx, "lost")
	}
}

// failAlarm makes an alarm trap if an earlier order asked for that, unless the alarm opens the
// object. So the platform's second attempt succeeds.
func (p *probe) failAlarm(tx *durable.Tx) {
	for _, row := range tx.SQL(`SELECT word FROM failing`) {
		if p.steps <= 2 {
			return
		}
		trap(tx, row.Text(0), func(string) {})
	}
}

// note stores an event, so that a later order can list it.
func note(tx *durable.Tx, event durable.Event) {
	tx.SQL(`INSERT INTO seen (event) VALUES (?)`, described(event))
}
