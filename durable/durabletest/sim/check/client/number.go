package client

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// toolEvent is an event of a run.
type toolEvent struct {
	Kind  string `json:"kind"`
	RunID string `json:"runId"`
	Body  string `json:"body"`
}

// ChunksKeepTheirNumbers checks I5: a number of a stream means the same chunk to every socket for
// ever, and no socket misses one.
func (r *Rules) ChunksKeepTheirNumbers(e check.Event) {
	for _, send := range e.Sent {
		f := send.Frame
		for _, conn := range send.To {
			switch {
			case f.Type == "agent-tool-event":
				r.keepToolEvent(conn, f)
			case f.Type == "cf_agent_use_chat_response" && f.Seq != nil:
				r.keepChunk(conn, f)
			}
		}
	}
}

func (r *Rules) keepChunk(conn durable.ConnID, f check.Frame) {
	stream := r.stream(conn, f)
	r.isNext(conn, stream, *f.Seq)
	r.meansTheSame(numbered(stream, *f.Seq), f.Body)
}

// stream names the stream of an answer, as a socket sees it.
func (r *Rules) stream(conn durable.ConnID, f check.Frame) string {
	return r.Sockets[conn] + " " + f.ID
}

func (r *Rules) keepToolEvent(conn durable.ConnID, f check.Frame) {
	var e toolEvent
	if json.Unmarshal(f.Event, &e) != nil {
		r.Fail("client", "an event is no JSON: %s", f.Event)
		return
	}
	means := e.Body
	if e.Kind != "chunk" {
		means = string(f.Event)
	}
	if e.Kind == "started" && f.Sequence != 0 {
		r.Fail("I5", "the run %s begins with number %d", e.RunID, f.Sequence)
	}
	// The root and the helper that has begun a run each have a log of it. The helper's has only what
	// the root has told it.
	stream := r.Sockets[conn] + " run " + e.RunID
	key := string(conn) + " " + stream
	if isReport(e) {
		r.takesNoNumber(conn, stream, f.Sequence)
		r.keepReport(key, e.Body)
		return
	}
	if have := r.reports[key]; e.Kind == "started" && have != nil {
		have.milestones = 0 // a replay begins again behind a loss of memory, and a client knows milestones by their numbers
	}
	r.isNext(conn, stream, f.Sequence)
	r.meansTheSame(numbered(stream, f.Sequence), means)
}

// takesNoNumber checks that a report has the number of the chunk that comes next, unless chunks
// were left out.
func (r *Rules) takesNoNumber(conn durable.ConnID, stream string, number int64) {
	if next, heard := r.next[string(conn)+" "+stream]; !heard || number < next {
		r.Fail("I5", "%s is sent a report at number %d of %s, which is over", conn, number, stream)
	}
}

func (r *Rules) meansTheSame(number, body string) {
	if before, ok := r.said[number]; ok && before != body {
		r.Fail("I5", "number %s is %.120s, and was %.120s", number, body, before)
	}
	if r.leftOut[number] {
		r.Fail("I5", "number %s was left out for others: %.120s", number, body)
	}
	r.said[number] = body
}

// isNext checks that the numbers of a stream follow each other at a socket, unless a replay begins
// again at 0. A number that is left out is left out for every socket.
func (r *Rules) isNext(conn durable.ConnID, stream string, number int64) {
	key := string(conn) + " " + stream
	next := r.next[key]
	if number != 0 && number < next {
		r.Fail("I5", "%s is sent number %d of %s, and %d was next", conn, number, stream, next)
	}
	for n := next; n < number; n++ {
		if r.said[numbered(stream, n)] != "" {
			r.Fail("I5", "%s is not sent number %d of %s", conn, n, stream)
		}
		r.leftOut[numbered(stream, n)] = true
	}
	r.next[key] = number + 1
}

func numbered(stream string, number int64) string { return fmt.Sprintf("%s %d", stream, number) }

// AnswersHaveAFinish checks that the last chunk of a complete answer is its finish, for each socket
// of a root page that was sent the chunks.
func (r *Rules) AnswersHaveAFinish(e check.Event) {
	frame := frameOf(e) // if it opened the object, the answer may have ended before it was handled
	for _, send := range e.Sent {
		f := send.Frame
		if f.Type != "cf_agent_use_chat_response" || !f.Done || f.Replay || f.Outcome != "completed" {
			continue
		}
		for _, conn := range send.To {
			stream := r.stream(conn, f)
			next, heard := r.next[string(conn)+" "+stream]
			accepts := frame == received{Type: "cf_agent_stream_resume_ack", ID: f.ID}
			if !heard || !r.onRoot(conn) || r.offered[conn] == f.ID || accepts { // it was offered the stream, and is sent the chunks later
				continue
			}
			if last := r.said[numbered(stream, next-1)]; !strings.HasPrefix(last, `{"type":"finish",`) {
				r.Fail("client", "the last chunk of the answer to %s is for %s %.120s", f.ID, conn, last)
			}
		}
	}
}

// reports are the progress and the milestones of a run.
type reports struct {
	progress   string
	milestones int64
}

const (
	progressChunk  = `{"type":"data-agent-progress"`
	milestoneChunk = `{"type":"data-agent-milestone"`
)

// isReport says whether an event is progress or a milestone. Those take no number.
func isReport(e toolEvent) bool {
	return e.Kind == "chunk" && (strings.HasPrefix(e.Body, progressChunk) || strings.HasPrefix(e.Body, milestoneChunk))
}

// keepReport notes the last progress, and checks that milestones come once and in order.
func (r *Rules) keepReport(key, body string) {
	have := r.reports[key]
	if have == nil {
		have = &reports{}
		r.reports[key] = have
	}
	if strings.HasPrefix(body, progressChunk) {
		if own := ownProgress(body); own != "" {
			have.progress = own
		}
		return
	}
	var m struct{ Data struct{ Sequence int64 } }
	if json.Unmarshal([]byte(body), &m) != nil || m.Data.Sequence != have.milestones {
		r.Fail("progress", "%s is sent a milestone as %s, after %d", key, body, have.milestones)
	}
	_, stream, _ := strings.Cut(key, " ")
	r.meansTheSame(fmt.Sprintf("%s milestone %d", stream, m.Data.Sequence), body)
	have.milestones++
}

// pauses matches the number of pauses in the id of a run's progress.
var pauses = regexp.MustCompile(`("id":"progress-\d+-\d+-\d+)-\d+"`)

// ownProgress returns the progress that a run has reported, or "" for one that only shows that the
// run is paused or goes on. A run that has ended shows nothing of its pauses.
func ownProgress(body string) string {
	if !pauses.MatchString(body) {
		return body
	}
	if strings.Contains(body, `"phase":"paused"`) || strings.Contains(body, `"data":{}`) {
		return ""
	}
	return pauses.ReplaceAllString(body, `$1"`)
}

// sameReports checks that a page that was there all the time was sent the same reports of a run as
// a new page.
func (r *Rules) sameReports(page, fresh Page, run string) {
	sent := func(p Page) (have reports) {
		if r := r.reports[string(p.Conn)+" run "+run]; r != nil {
			have = *r
		}
		return have
	}
	if got, want := sent(page), sent(fresh); got != want {
		r.Fail("progress", "of %s, %s was sent %v, and a new tab is sent %v", run, page.Name, got, want)
	}
}

// RunsComeInOrder checks that a new socket is told of runs in the order in which they have begun.
func (r *Rules) RunsComeInOrder(e check.Event) {
	opened, ok := e.Event.(durable.SocketOpened)
	if !ok || e.Slot != "" || e.Trap != nil || !r.onRoot(opened.Conn) {
		return
	}
	before := -1
	for _, send := range e.Sent {
		var event toolEvent
		if f := send.Frame; f.Type != "agent-tool-event" || !f.Replay || f.Sequence != 0 || json.Unmarshal(f.Event, &event) != nil || event.Kind != "started" {
			continue
		}
		at := slices.IndexFunc(e.Runs, func(run stored.Run) bool { return run.ID == event.RunID })
		if at < before {
			r.Fail("client", "%s is told of the run %s after later ones", opened.Conn, event.RunID)
		}
		before = at
	}
}
