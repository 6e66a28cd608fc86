package chat

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is drill-in at the parent: a browser's socket that is meant for a
// helper is accepted here, and its frames go on as bytes while it is connected.
// Only what the registry knows can be reached (invariant I12).

const (
	// drillOf names the stream that carries a helper's frames to a socket.
	drillOf = "drill/"
	// callFrame and callMessages carry a socket's frame, and a request for the
	// transcript.
	callFrame    = "frame/"
	callMessages = "messages/"
)

// maxHeld is how many frames of a socket can wait for its helper to know it.
const maxHeld = 8

// drill is a socket of a helper's.
type drill struct {
	reader wire.Reader
	// begun says that the helper has spoken, and so knows the socket. What comes before
	// that is held: a frame of a socket that the helper does not know would be lost.
	begun bool
	held  []string
}

// subPath finds /sub/{class}/{name} in a path as it came, and what follows it. The
// first place where a class and a name stand is meant; a helper finds the next.
func subPath(target string) (class, name, rest string, ok bool) {
	path, _, _ := strings.Cut(target, "?")
	segments := strings.Split(path, "/")
	for i := 4; i+2 < len(segments); i++ { // behind /agents/{class}/{name}
		if segments[i] != "sub" {
			continue
		}
		decoded, err := url.PathUnescape(segments[i+2])
		if err == nil && segments[i+1] != "" && decoded != "" {
			return segments[i+1], decoded, strings.Join(segments[i+3:], "/"), true
		}
	}
	return "", "", "", false
}

// below is the path of a helper with what follows it, for that helper to read.
func below(rest string) string { return "/agents/helper/run/" + rest }

// reachable finds the run that a class segment and a name mean.
func reachable(tx *durable.Tx, class, name string) (run.Run, bool) {
	r, ok := run.Find(tx, name)
	return r, ok && r.Slot > 0 && protocol.Kebab(r.Class) == class
}

// drill connects a socket to a helper, or refuses it for good.
func (h *Host) drill(tx *durable.Tx, conn durable.ConnID, class, name, rest string, again bool) {
	r, ok := reachable(tx, class, name)
	if !ok {
		tx.Do(durable.Close{Conn: conn, Code: 4404, Reason: "Sub-agent connection rejected (404)"})
		return
	}
	tx.SQL(`INSERT INTO drill (conn, run, path) VALUES (?, ?, ?)`, string(conn), r.ID, rest)
	h.openDrill(tx, conn, r, rest, again)
}

func (h *Host) openDrill(tx *durable.Tx, conn durable.ConnID, r run.Run, rest string, again bool) {
	if h.drills == nil {
		h.drills = map[durable.ConnID]*drill{}
	}
	h.drills[conn] = &drill{}
	tx.Do(durable.OpenStream{
		Stream: drillOf + string(conn), From: facetOf(r), Data: openSocket.Request(socketRequest{Conn: string(conn), Name: r.ID, Path: rest, Again: again, Generation: r.Generation}),
	})
}

// loadDrills goes on with the sockets of helpers that are still there, and returns the
// others. Where a frame was under way it may be lost, and its sender may wait for an answer
// without a limit: that socket is closed, and its client comes back and asks.
func (h *Host) loadDrills(tx *durable.Tx, present []durable.ConnID) []durable.ConnID {
	own := present[:0:0]
	for _, conn := range present {
		rows := tx.SQL(`SELECT asked FROM drill WHERE conn = ?`, string(conn))
		r, known := drilled(tx, conn)
		switch {
		case len(rows) == 0:
			own = append(own, conn)
		case !known:
			tx.Do(durable.Close{Conn: conn, Code: 4404, Reason: "the run was deleted"})
		case rows[0].Int(0) > 0:
			tx.Do(durable.Close{Conn: conn, Code: 1012, Reason: "the helper restarts"})
		default:
			h.openDrill(tx, conn, r, drillPath(tx, conn), true)
		}
	}
	for _, row := range tx.SQL(`SELECT conn FROM drill ORDER BY conn`) {
		if conn := durable.ConnID(row.Text(0)); h.drills[conn] == nil {
			h.forgetDrill(tx, conn)
		}
	}
	return own
}

// forgetDrill forgets a socket. Where its helper has not answered all that the socket brought,
// nobody knows what the helper has taken, and when it wants to be woken for that: it is asked
// soon, or its turn would rest with its memory.
func (h *Host) forgetDrill(tx *durable.Tx, conn durable.ConnID) {
	for _, row := range tx.SQL(`DELETE FROM drill WHERE conn = ? RETURNING run, asked`, string(conn)) {
		if r, ok := run.Find(tx, row.Text(0)); ok && row.Int(1) > 0 {
			h.wakenSoon(tx, r)
		}
	}
}

// drilled returns the run whose helper a socket is connected to.
func drilled(tx *durable.Tx, conn durable.ConnID) (run.Run, bool) {
	for _, row := range tx.SQL(`SELECT run FROM drill WHERE conn = ?`, string(conn)) {
		return run.Find(tx, row.Text(0))
	}
	return run.Run{}, false
}

// drillPath returns what followed the helper in the path of a socket.
func drillPath(tx *durable.Tx, conn durable.ConnID) string {
	for _, row := range tx.SQL(`SELECT path FROM drill WHERE conn = ?`, string(conn)) {
		return row.Text(0)
	}
	return ""
}

// relay hands a socket's frame to its helper, and says whether it has one.
func (h *Host) relay(tx *durable.Tx, e durable.SocketMessage) bool {
	d := h.drills[e.Conn]
	if d == nil {
		return false
	}
	r, ok := drilled(tx, e.Conn)
	switch {
	case !ok:
		tx.Do(durable.Close{Conn: e.Conn, Code: 4404, Reason: "the run was deleted"})
	case len(e.Text) > protocol.Limits.Frame:
		send(tx, protocol.Complaint("frame is too large"), e.Conn)
	case e.Binary:
	case len(d.held) == maxHeld:
		tx.Do(durable.Close{Conn: e.Conn, Code: 1013, Reason: "the helper does not answer"})
	default:
		tx.SQL(`UPDATE drill SET asked = asked + 1 WHERE conn = ?`, string(e.Conn))
		d.held = append(d.held, e.Text)
		h.handOn(tx, e.Conn, r)
	}
	return true
}

// handOn hands on what a socket has brought, to a helper that knows it.
func (h *Host) handOn(tx *durable.Tx, conn durable.ConnID, r run.Run) {
	d := h.drills[conn]
	if !d.begun {
		return
	}
	for _, text := range d.held {
		h.tell(tx, r, callFrame+string(conn), tellFrame.Request(frameRequest{Conn: string(conn), Text: text}))
	}
	d.held = nil
}

// relayed deals with the answer to a frame that was handed on. A socket whose frame was lost
// is closed: a client that is cut off comes back and asks.
func (h *Host) relayed(tx *durable.Tx, conn durable.ConnID, data []byte, failure string) {
	tx.SQL(`UPDATE drill SET asked = asked - 1 WHERE conn = ?`, string(conn))
	if failure != "" {
		tx.Do(durable.Close{Conn: conn, Code: 1011, Reason: "the helper failed"})
	}
	r, ok := drilled(tx, conn)
	if !ok {
		return
	}
	h.told(tx, r)
	if w, err := tellFrame.Result(data); err == nil && failure == "" {
		h.wakenLater(tx, r.ID, w.At)
	} else {
		h.wakenSoon(tx, r)
	}
}

// refuseDrills closes the sockets of a run's helper for good: there is nobody to come
// back to. They stay known until they are gone, so that nothing which they still
// bring is taken for a word to the parent.
func (h *Host) refuseDrills(tx *durable.Tx, r run.Run) {
	for _, row := range tx.SQL(`SELECT conn FROM drill WHERE run = ? ORDER BY conn`, r.ID) {
		conn := row.Text(0)
		tx.Do(durable.CancelStream{Stream: drillOf + conn})
		tx.Do(durable.Close{Conn: durable.ConnID(conn), Code: 4404, Reason: "the run was deleted"})
	}
}

// undrill forgets a socket that is gone, and says whether it was a helper's.
func (h *Host) undrill(tx *durable.Tx, conn durable.ConnID) bool {
	if h.drills[conn] == nil {
		return false
	}
	if r, ok := drilled(tx, conn); ok {
		delete(h.telling, r.ID)
	}
	delete(h.drills, conn)
	h.forgetDrill(tx, conn)
	tx.Do(durable.CancelStream{Stream: drillOf + string(conn)})
	return true
}

// drillData passes on what a helper says to a socket.
func (h *Host) drillData(tx *durable.Tx, conn durable.ConnID, data []byte) {
	d := h.drills[conn]
	if d == nil {
		return
	}
	frames, err := d.reader.Feed(data)
	for _, f := range frames {
		switch f.Kind {
		case wire.KindChunk:
			send(tx, string(f.Body), conn)
		case wire.KindEnd:
			var c closing
			if json.Unmarshal(f.Body, &c) != nil {
				c = closing{Code: 1011, Reason: "the helper closed the connection"}
			}
			tx.Do(durable.Close{Conn: conn, Code: c.Code, Reason: c.Reason})
		}
	}
	if err != nil {
		tx.Do(durable.Close{Conn: conn, Code: 1011, Reason: "the helper cannot be understood"})
		return
	}
	d.begun = true
	if r, ok := drilled(tx, conn); ok {
		h.handOn(tx, conn, r)
	}
}

// drillOver deals with a stream that ended: the socket is closed in a way that
// lets its client come back, and find the helper anew.
func (h *Host) drillOver(tx *durable.Tx, conn durable.ConnID) {
	if d := h.drills[conn]; d != nil && !d.reader.Finished() {
		tx.Do(durable.Close{Conn: conn, Code: 1012, Reason: "the helper restarts"})
	}
}

// respondSub answers a request that is meant for a helper, and says whether it is.
func (h *Host) respondSub(tx *durable.Tx, e durable.RequestReceived) bool {
	class, name, rest, ok := subPath(e.URL)
	if !ok {
		return false
	}
	r, known := reachable(tx, class, name)
	_, _, _, deeper := subPath(below(rest))
	if !known || deeper || !asksMessages(e.URL) { // a helper's helper tells its messages by a socket only
		respondText(tx, e.Request, 404, "Not Found")
		return true
	}
	tx.Do(durable.Call{Call: callMessages + e.Request, To: facetOf(r), Data: listMessages.Request(visit{Generation: r.Generation})})
	return true
}
