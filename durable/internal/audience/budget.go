package audience

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about what the sockets of a conversation cost: how many frames and bytes they send in
// a second, and how many bytes they are sent in answer. What all of them are shown is no cost of the
// socket whose frame it is: it is bounded by what an event, and a second, may send. It is counted in memory alone. A loss of memory
// begins a new second. It costs its cause the socket, and the isolate more than a second's frames do.

// costs are what was counted in the second under way: frames, their bytes, and the bytes that were
// sent: to the socket itself, or to all sockets together.
type costs [5]int

// The places in [costs]. Openings are those of sockets. Requests are those over HTTP: their bytes, and those of
// their answers, count as the bytes of frames do.
const (
	frames = iota
	up
	down
	openings
	requests
)

var (
	// socketMost and conversationMost are what a socket and all sockets together may cost in a second.
	socketMost       = costs{frames: limit.SocketFrames, up: limit.SocketUp, down: limit.SocketDown, requests: limit.PersonRequests}
	conversationMost = costs{limit.ConversationFrames, limit.ConversationUp, limit.ConversationDown, share.Sockets.Most, limit.ConversationRequests}
	// leastShare is what a socket may cost in any case before it counts as the one that costs too much.
	leastShare = costs{10, 64 << 10, 1 << 20}
	// measured names what was counted, for the reason of a close.
	measured = [...]string{frames: "frames", up: "bytes", down: "bytes in answer", openings: "connections", requests: "requests"}
	// ofFrame and ofRequest are what a frame and a request cost.
	ofFrame, ofRequest = []int{frames, up, down}, []int{requests, up, down}
)

// The codes with which a socket is closed. A published client connects again after tryAgain, and not
// after violation.
const (
	violation = 1008
	tryAgain  = 1013
)

// second is how long costs are added up, in milliseconds.
const second = 1_000

// meter counts the costs of a second.
type meter struct {
	since int64
	all   costs
	// sockets are those that have sent something in this second, and owners those to whom they belong:
	// a person, or the socket itself where the person has no name.
	sockets map[durable.ConnID]*spender
	owners  map[string]*owner
	// cause is the socket whose frame, or whose opening, is handled in this event, or "". spender is
	// what is counted of it.
	cause   durable.ConnID
	spender *spender
	// request is the request over HTTP that is handled in this event, or "".
	request string
	// asked says that this event is the frame or the opening of a socket, or a request.
	asked bool
	// event is how many bytes this event has sent. counted is how many of its commands are counted.
	event, counted int
}

type spender struct {
	costs
	owner *owner
}

type owner struct {
	costs
	sockets int
}

// BeginEvent begins to count what an event costs. It is called at the beginning of each event. asked
// says that the event is a request.
func (c *Audience) BeginEvent(tx *durable.Tx, asked bool) {
	m := &c.meter
	m.cause, m.spender, m.request, m.asked, m.event, m.counted = "", nil, "", asked, 0, 0
	if tx.Now < m.since || tx.Now >= m.since+second {
		m.since, m.all = tx.Now, costs{}
		clear(m.sockets)
		clear(m.owners)
	}
}

// Admit counts a frame of a socket, and says whether it is handled. If not, the socket has cost too
// much in this second, and is closed. The caller then forgets it.
func (c *Audience) Admit(tx *durable.Tx, conn durable.ConnID, claims string, bytes int) bool {
	s := c.meter.spend(conn, conn, ownerOf(claims, string(conn)), costs{frames: 1, up: bytes})
	code, why := c.meter.refusal(s, ofFrame)
	if code == 0 {
		return true
	}
	tx.Log(durable.Warn, "a socket was closed", "conn", string(conn), "reason", why)
	tx.Do(durable.Close{Conn: conn, Code: code, Reason: why})
	return false
}

// AdmitSocket counts the opening of a socket, and says whether it is accepted. If not, those who have
// the same name have cost too much in this second, and it is closed so that its client connects again.
func (c *Audience) AdmitSocket(tx *durable.Tx, conn durable.ConnID, claims string) bool {
	s := c.meter.spend("opening "+conn, conn, ownerOf(claims, ""), costs{openings: 1})
	if x := c.meter.exceeds(s.owner, down, openings); x < 0 {
		return true
	}
	tx.Do(durable.Close{Conn: conn, Code: tryAgain, Reason: "this conversation has too much to send now"})
	return false
}

// AdmitRequest counts a request over HTTP of some bytes, and says why it is refused, or returns "". All requests of a
// person count together. Its answer counts if it comes in the same event, or behind [Audience.ResumeRequest].
func (c *Audience) AdmitRequest(tx *durable.Tx, request, by string, bytes int) (why string) {
	s := c.spendRequest(request, by, costs{requests: 1, up: bytes})
	if _, why = c.meter.refusal(s, ofRequest); why != "" {
		tx.Log(durable.Warn, "a request was refused", "reason", why)
	}
	return why
}

// ResumeRequest says that an earlier request is answered in this event.
func (c *Audience) ResumeRequest(request, by string) { c.spendRequest(request, by, costs{}) }

func (c *Audience) spendRequest(request, by string, cost costs) *spender {
	person := claims.Person(by)
	s := c.meter.spend(durable.ConnID("requests of "+person), "", ownerOf(by, person), cost)
	c.meter.request = request
	return s
}

// ownerOf returns to whom a socket belongs: the subject of its claims, or otherwise what it is given.
func ownerOf(claims, otherwise string) string {
	var c struct {
		Sub string `json:"sub"`
	}
	if claims != "" && json.Unmarshal([]byte(claims), &c) == nil && c.Sub != "" {
		return "sub " + c.Sub
	}
	return "conn " + otherwise
}

// spend adds to what is counted under a key, of an owner of some name. The connection is then the cause
// of what the event sends.
func (m *meter) spend(key, conn durable.ConnID, name string, cost costs) *spender {
	if m.sockets == nil {
		m.sockets, m.owners = map[durable.ConnID]*spender{}, map[string]*owner{}
	}
	s := m.sockets[key]
	if s == nil {
		if m.owners[name] == nil {
			m.owners[name] = &owner{}
		}
		s = &spender{owner: m.owners[name]}
		s.owner.sockets++
		m.sockets[key] = s
	}
	m.cause, m.spender, m.asked = conn, s, true
	m.all.add(cost)
	s.add(cost)
	s.owner.add(cost)
	return s
}

func (c *costs) add(more costs) {
	for x := range c {
		c[x] += more[x]
	}
}

// refusal returns the code and the reason with which a socket is closed that has just sent a frame, or
// 0. A socket beyond its own limit is closed. If all sockets together are beyond theirs, each owner has
// an equal share: only sockets of an owner who has more are closed, and of these first those that have
// more than their part of it. So nobody can have the sockets of others closed.
func (m *meter) refusal(s *spender, places []int) (code int, why string) {
	who, all := "a socket", "the sockets of a conversation"
	if m.request != "" {
		who, all = "the requests of a person", "all who use a conversation"
	}
	for _, x := range places {
		if most := socketMost[x]; s.costs[x] > most {
			return violation, fmt.Sprintf("%s may have %d %s a second", who, most, measured[x])
		}
	}
	x := m.exceeds(s.owner, places...)
	if x < 0 {
		return 0, ""
	}
	if part := m.share(x) / s.owner.sockets; s.costs[x] > max(part, leastShare[x]) {
		return violation, fmt.Sprintf("%s may have %d %s a second", all, conversationMost[x], measured[x])
	}
	if m.all[x] > 2*conversationMost[x] {
		return tryAgain, "this conversation has too much to do now"
	}
	return 0, ""
}

// exceeds returns one of some places in [costs] of which all sockets together have too much, and this
// owner more than its share, or -1.
func (m *meter) exceeds(o *owner, places ...int) int {
	for _, x := range places {
		if m.all[x] > conversationMost[x] && o.costs[x] > m.share(x) {
			return x
		}
	}
	return -1
}

// share is what each owner may cost when all sockets together cost too much.
func (m *meter) share(x int) int { return conversationMost[x] / len(m.owners) }

// count counts the bytes that the event has sent since it was called last.
func (m *meter) count(tx *durable.Tx) {
	commands := tx.Commands()
	for ; m.counted < len(commands); m.counted++ {
		switch command := commands[m.counted].(type) {
		case durable.Send:
			sent := len(command.Text) * len(command.To)
			m.event += sent
			m.all[down] += sent
			if m.cause != "" && slices.Contains(command.To, m.cause) {
				m.spender.answer(len(command.Text))
			}
		case durable.Respond:
			m.all[down] += len(command.Body)
			if m.request != "" && command.Request == m.request {
				m.spender.answer(len(command.Body))
			}
		}
	}
}

// answer counts what is sent in answer.
func (s *spender) answer(bytes int) {
	answer := costs{down: bytes}
	s.add(answer)
	s.owner.add(answer)
}

// room returns how many bytes this event may still send to many sockets.
func (m *meter) room(tx *durable.Tx) int {
	m.count(tx)
	return min(limit.ConversationDown-m.all[down], limit.EventDown-m.event)
}

// fit divides connections into those that are sent a frame of some bytes now, and the others. The
// connection whose frame is handled comes first, and is sent it in any case. While there is room, one
// more is, however long the frame is.
func (c *Audience) fit(tx *durable.Tx, size int, to []durable.ConnID) (now, later []durable.ConnID) {
	room := c.meter.room(tx)
	if size*len(to) <= room {
		return to, nil
	}
	n := 0
	if room > 0 {
		n = max(room/size, 1)
	}
	for _, id := range to {
		if id == c.meter.cause {
			now = append(now, id)
		}
	}
	for _, id := range to {
		switch {
		case id == c.meter.cause:
		case len(now) < n:
			now = append(now, id)
		default:
			later = append(later, id)
		}
	}
	return now, later
}

// EndEvent is called behind everything that an event sends. It counts what was sent, keeps the lines
// of the log within their limits, and returns the sockets for which the conversation has sent too much
// in this second. They are sent nothing of this event beyond it, and the caller closes them.
func (c *Audience) EndEvent(tx *durable.Tx) (over []durable.ConnID) {
	m := &c.meter
	m.count(tx)
	c.boundLines(tx)
	room := 2*limit.ConversationDown - (m.all[down] - m.event)
	if m.event == 0 || m.event <= room {
		return nil
	}
	closed := map[durable.ConnID]bool{}
	tx.Rewrite(func(command durable.Command) []durable.Command {
		send, ok := command.(durable.Send)
		if !ok {
			return []durable.Command{command}
		}
		var to []durable.ConnID
		for _, id := range send.To {
			switch {
			case closed[id]:
			case id != m.cause && len(send.Text) > room:
				closed[id] = true
				over = append(over, id)
			default:
				to, room = append(to, id), room-len(send.Text)
			}
		}
		if len(to) == 0 {
			return nil
		}
		return []durable.Command{durable.Send{To: to, Text: send.Text}}
	})
	return over
}

// TooMuch closes a socket that [Audience.EndEvent] has returned, so that its client connects again.
func TooMuch(tx *durable.Tx, conn durable.ConnID) {
	tx.Do(durable.Close{Conn: conn, Code: tryAgain, Reason: "this conversation has too much to send now"})
}
