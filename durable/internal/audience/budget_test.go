package audience

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// crowd counts what sockets cost, without a conversation.
type crowd struct {
	Audience
	now int64
}

// sends has a socket of a person send frames, each of some bytes, for each of which some bytes are
// sent. It returns the codes of the sockets that were closed for it.
func (c *crowd) sends(conn, person string, n, up, down int) (codes []int) {
	claims := ""
	if person != "" {
		claims = fmt.Sprintf(`{"sub":%q,"scopes":[]}`, person)
	}
	for range n {
		tx := durable.NewTx(c.now, nil, nil)
		c.BeginEvent(tx, false)
		if c.Admit(tx, durable.ConnID(conn), claims, up) && down > 0 {
			Send(tx, strings.Repeat("x", down), durable.ConnID(conn))
		}
		c.EndEvent(tx)
		for _, command := range tx.Commands() {
			if closed, ok := command.(durable.Close); ok {
				codes = append(codes, closed.Code)
			}
		}
	}
	return codes
}

// asks has a person send requests over HTTP, each of some bytes, which are answered with some bytes: in the same event, or
// in a later one. It returns how many were refused.
func (c *crowd) asks(by string, n, up, down int, later bool) (refused int) {
	for i := range n {
		tx := durable.NewTx(c.now, nil, nil)
		c.BeginEvent(tx, true)
		request := fmt.Sprint("q", i)
		why := c.AdmitRequest(tx, request, by, up)
		if why != "" {
			refused++
			continue
		}
		if later {
			c.EndEvent(tx)
			tx = durable.NewTx(c.now, nil, nil)
			c.BeginEvent(tx, false)
			c.ResumeRequest(request, by)
		}
		tx.Do(durable.Respond{Request: request, Status: 200, Body: make([]byte, down)})
		c.EndEvent(tx)
	}
	return refused
}

// TestRequestsAreRefusedBeyondTheirLimits checks each limit of a person's requests at the limit, one beyond it, and far
// beyond it. Nobody else is refused for them, and no socket is closed.
func TestRequestsAreRefusedBeyondTheirLimits(t *testing.T) {
	const mebibyte, half = 1 << 20, 1 << 19
	sub, sender := `{"sub":"mallory","scopes":[]}`, `{"sub":"","scopes":[],"sender":"abc"}`
	for _, test := range []struct {
		name        string
		n, up, down int
		later       bool
		refused     int
	}{
		{"requests at the limit", limit.PersonRequests, 1, 0, false, 0},
		{"requests one beyond", limit.PersonRequests + 1, 1, 0, false, 1},
		{"requests far beyond", 10 * limit.PersonRequests, 1, 0, false, 9 * limit.PersonRequests},
		{"bytes at the limit", limit.SocketUp / mebibyte, mebibyte, 0, false, 0},
		{"bytes one beyond", 1, limit.SocketUp + 1, 0, false, 1},
		{"bytes far beyond", 20, 4 * mebibyte, 0, false, 18},
		{"answers at the limit", limit.SocketDown/half + 1, 100, half, false, 0},
		{"answers one beyond", limit.SocketDown/half + 2, 100, half, false, 1},
		{"answers far beyond", 200, 100, half, false, 200 - limit.SocketDown/half - 1},
		{"later answers at the limit", limit.SocketDown/half + 1, 100, half, true, 0},
		{"later answers far beyond", 200, 100, half, true, 200 - limit.SocketDown/half - 1},
	} {
		for _, by := range []string{sub, sender, ""} {
			t.Run(test.name+" "+by, func(t *testing.T) {
				c := &crowd{now: 1}
				if refused := c.asks(by, test.n, test.up, test.down, test.later); refused != test.refused {
					t.Errorf("%d requests were refused, want %d", refused, test.refused)
				}
				if refused := c.asks(`{"sub":"alice","scopes":[]}`, 10, 100, half, test.later); refused > 0 {
					t.Errorf("%d requests of another person were refused", refused)
				}
				if codes := c.sends("a", "bob", 9, 1, 100); len(codes) > 0 {
					t.Errorf("a socket of another person was closed: %v", codes)
				}
				if c.now += second; c.asks(by, 1, 1, 0, false) > 0 {
					t.Error("the next second is not a new one")
				}
			})
		}
	}
}

// TestRequestsOfManyPeopleAreBoundedTogether checks that the requests of many people are bounded together, that those
// are refused who have more than a share, and that each person's requests count with the person's sockets.
func TestRequestsOfManyPeopleAreBoundedTogether(t *testing.T) {
	const people = 40
	c, sent := &crowd{now: 1}, 0
	for i := range people {
		by := fmt.Sprintf(`{"sub":"mallory %d","scopes":[]}`, i)
		sent += 8 - c.asks(by, 8, 100, 1<<20, false)
		if refused := c.asks(`{"sub":"alice","scopes":[]}`, 1, 100, 1<<10, false); refused > 0 {
			t.Fatal("a person with less than a share was refused")
		}
	}
	if most := 2*limit.ConversationDown>>20 + 2*people; sent > most { // nobody is refused who has had nothing yet
		t.Errorf("%d MiB were sent, at most %d", sent, most)
	}
	c = &crowd{now: 1}
	c.asks(`{"sub":"mallory","scopes":[]}`, 30, 100, 1<<20, false)
	for i := range 20 {
		c.sends(fmt.Sprint("s", i), fmt.Sprint("person ", i), 1, 1, 1<<20)
	}
	if codes := c.sends("of mallory", "mallory", 2, 1, 2<<20); len(codes) == 0 {
		t.Error("a socket is kept whose person has sent too many requests")
	}
}

// TestSocketIsClosedBeyondItsLimits checks each limit of a socket at the limit, one beyond it, and far
// beyond it.
func TestSocketIsClosedBeyondItsLimits(t *testing.T) {
	const mebibyte = 1 << 20
	for _, test := range []struct {
		name        string
		n, up, down int
		closed      int
	}{
		{"frames at the limit", limit.SocketFrames, 1, 0, 0},
		{"frames one beyond", limit.SocketFrames + 1, 1, 0, 1},
		{"frames far beyond", 15 * limit.SocketFrames, 1, 0, 14 * limit.SocketFrames},
		{"bytes at the limit", limit.SocketUp / mebibyte, mebibyte, 0, 0},
		{"bytes one beyond", 1, limit.SocketUp + 1, 0, 1},
		{"bytes far beyond", 1, 100 * limit.SocketUp, 0, 1},
		{"bytes sent at the limit", limit.SocketDown/mebibyte + 1, 1, mebibyte, 0},
		{"bytes sent one beyond", limit.SocketDown/mebibyte + 2, 1, mebibyte, 1},
		{"bytes sent far beyond", 50, 1, mebibyte, 50 - limit.SocketDown/mebibyte - 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &crowd{now: 1}
			if codes := c.sends("a", "", test.n, test.up, test.down); len(codes) != test.closed || strings.Trim(fmt.Sprint(codes), "[]108 ") != "" {
				t.Errorf("%d frames were refused, want %d: %v", len(codes), test.closed, codes)
			}
			if codes := c.sends("b", "", 1, 1, 0); len(codes) > 0 {
				t.Errorf("another socket was closed: %v", codes)
			}
			if c.now += second; len(c.sends("c", "", 1, 1, 0)) > 0 || len(c.sends("a", "", 1, 1, 0)) > 0 {
				t.Error("the next second is not a new one")
			}
		})
	}
}

// TestConversationClosesWhoHasMoreThanAShare checks who is closed when all sockets together cost too
// much: those that have more than a share. Others are not, whatever there are of the first.
func TestConversationClosesWhoHasMoreThanAShare(t *testing.T) {
	for _, test := range []struct {
		name string
		// sockets send each so many frames, of an owner each, or of one and the same.
		sockets, frames int
		person          string
		// refused says whether frames are refused. Those of a person with another name, who sends as many
		// as bystander, never are.
		refused   bool
		bystander int
	}{
		{"at the limit", 3, 100, "", false, 0},
		{"one beyond", 4, 75, "", true, 1},
		{"far beyond", 20, 75, "", true, 14},
		{"far beyond, of one person", 20, 75, "mallory", true, 60},
		{"few frames of very many sockets of one person", 1_000, 2, "mallory", true, 60},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &crowd{now: 1}
			refused := 0
			for i := range max(test.frames, test.bystander) {
				for s := range test.sockets * min(max(test.frames-i, 0), 1) {
					refused += len(c.sends(fmt.Sprint("s", s), test.person, 1, 1, 0))
				}
				if i < test.bystander {
					if codes := c.sends("calm", "alice", 1, 1, 0); len(codes) > 0 {
						t.Fatalf("the other person's socket was closed: %v", codes)
					}
				}
			}
			if most := 3 * limit.ConversationFrames; test.sockets*test.frames-refused > most {
				t.Errorf("%d frames were handled, at most %d", test.sockets*test.frames-refused, most)
			}
			if refused > 0 != test.refused {
				t.Errorf("%d frames were refused", refused)
			}
		})
	}
}

// TestSocketsOfAPersonAreRefusedWhenTheConversationHasTooMuchToSend checks that only the sockets of
// whoever has caused it are refused.
func TestSocketsOfAPersonAreRefusedWhenTheConversationHasTooMuchToSend(t *testing.T) {
	c := &crowd{now: 1}
	opens := func(conn, person string) bool {
		tx := durable.NewTx(c.now, nil, nil)
		c.BeginEvent(tx, false)
		ok := c.AdmitSocket(tx, durable.ConnID(conn), fmt.Sprintf(`{"sub":%q}`, person))
		if ok {
			Send(tx, strings.Repeat("x", 1<<20), durable.ConnID(conn))
		}
		c.EndEvent(tx)
		return ok
	}
	accepted := 0
	opens("calm", "alice")
	for i := range 1_000 {
		if opens(fmt.Sprint("m", i), "mallory") {
			accepted++
		}
	}
	if accepted < 16 || accepted > limit.ConversationDown>>20+1 {
		t.Errorf("%d sockets were accepted", accepted)
	}
	if !opens("calm2", "alice") {
		t.Error("the socket of another person was refused")
	}
}

// TestEventSendsNoMoreThanASecondMay checks the limit of an event that sends to many without looking
// at it first: the sockets for which there is no room are closed, and not the one that has asked.
func TestEventSendsNoMoreThanASecondMay(t *testing.T) {
	for _, test := range []struct {
		name          string
		sockets, over int
	}{
		{"at the limit", 64, 0}, {"one beyond", 65, 1}, {"far beyond", 1_000, 936},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &crowd{now: 1}
			tx := durable.NewTx(c.now, nil, nil)
			c.BeginEvent(tx, false)
			c.Admit(tx, "s0", "", 1)
			var to []durable.ConnID
			for i := range test.sockets {
				to = append(to, durable.ConnID(fmt.Sprint("s", i)))
			}
			Send(tx, strings.Repeat("x", 1<<20-16), to...)
			Send(tx, "behind it", to[len(to)-1])
			over := c.EndEvent(tx)
			sent := map[durable.ConnID]int{}
			for _, command := range tx.Commands() {
				for _, id := range command.(durable.Send).To {
					sent[id]++
				}
			}
			if len(over) != test.over || sent["s0"] != 1 {
				t.Errorf("%d sockets are closed, want %d, and the one that has asked is sent %d frames", len(over), test.over, sent["s0"])
			}
			for _, id := range over {
				if sent[id] > 0 {
					t.Errorf("%s is closed, and sent %d frames", id, sent[id])
				}
			}
		})
	}
}

// TestLinesOfASocketAreBounded checks which lines of a socket are written.
func TestLinesOfASocketAreBounded(t *testing.T) {
	c := &crowd{now: 1}
	written := func(conn string, level durable.Level, message string) (lines int) {
		tx := durable.NewTx(c.now, nil, nil)
		c.BeginEvent(tx, false)
		c.Admit(tx, durable.ConnID(conn), "", 1)
		tx.Log(level, message)
		c.EndEvent(tx)
		for _, command := range tx.Commands() {
			if _, ok := command.(durable.Log); ok {
				lines++
			}
		}
		return lines
	}
	gone := func(conn string) string {
		tx := durable.NewTx(c.now, nil, nil)
		c.ForgetLines(tx, durable.ConnID(conn))
		return fmt.Sprint(tx.Commands())
	}
	if n := written("a", durable.Warn, "bad frame"); n != 1 {
		t.Errorf("the first line: %d", n)
	}
	for i := range 60 {
		if n := written("a", durable.Warn, "bad frame"); n != 0 {
			t.Fatalf("the line %d was written", i+2)
		}
	}
	c.now += second
	n := 1
	for i := range 60 {
		n += written("a", durable.Error, fmt.Sprint("another", i))
	}
	if n != limit.SocketLines-1 {
		t.Errorf("%d lines of 121 were written, want %d", n, limit.SocketLines-1)
	}
	if got := gone("a"); !strings.Contains(got, "left out") || !strings.Contains(got, "112") {
		t.Errorf("at the end: %s", got)
	}
	c.now += hour
	if n := written("b", durable.Warn, "bad frame") + written("b", durable.Warn, "bad frame"); n != 1 {
		t.Errorf("of another socket: %d", n)
	}
	if got := gone("c"); got != "[]" {
		t.Errorf("at the end of one without lines: %s", got)
	}
	c.now += hour
	if n := written("b", durable.Warn, "bad frame"); n != 2 {
		t.Errorf("in the next hour the line and the count are written: %d", n)
	}
	n = 0
	for i := range 3 * limit.ConversationLines {
		c.now += 20
		n += written(fmt.Sprint("n", i), durable.Warn, "bad frame")
	}
	if n > limit.ConversationLines {
		t.Errorf("%d lines of all sockets", n)
	}
	c.now += hour
	c.earlier = map[durable.ConnID]bool{"old": true}
	if n := written("old", durable.Warn, "bad frame"); n != 0 {
		t.Errorf("a socket of an earlier life: %d", n)
	}
	if n := written("old", durable.Error, "a hook failed"); n != 1 {
		t.Errorf("an error for a socket of an earlier life: %d", n)
	}
}
