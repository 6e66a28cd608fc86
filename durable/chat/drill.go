package chat

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is drill-in at the parent. The parent accepts a browser's socket that is meant for a
// helper, and relays its frames as bytes while it is connected. Only runs in the registry can be
// reached (invariant I12).

// maxHeldFrames is how many frames of a socket are held until its helper knows the socket.
const maxHeldFrames = 8

// drillIn is a browser's socket that is connected to a helper.
type drillIn struct {
	reader wire.Reader
	// ready says that the helper has sent something, and so knows the socket. Earlier frames are
	// held: the helper would lose a frame of a socket that it does not know.
	ready bool
	held  []string
}

// subPath finds /sub/{class}/{name} in an undecoded path, and what follows it. It takes the first
// place that has a class and a name. A helper finds the next one.
func subPath(target string) (class, name, rest string, ok bool) {
	path, _, _ := strings.Cut(target, "?")
	segments := strings.Split(path, "/")
	for i := 4; i+2 < len(segments); i++ { // after /agents/{class}/{name}
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

// helperPath is the path that a helper is given: its own path, then the rest of the socket's path.
func helperPath(rest string) string { return "/agents/helper/run/" + rest }

// reachable finds the run that a class segment and a name refer to.
func reachable(tx *durable.Tx, class, name string) (run.Run, bool) {
	r, ok := run.Find(tx, name)
	return r, ok && r.Slot > 0 && protocol.Kebab(r.Class) == class
}

// acceptDrillIn connects a socket to a helper, or refuses it permanently.
func (o *Object) acceptDrillIn(tx *durable.Tx, conn durable.ConnID, class, name, rest string, again bool) {
	r, ok := reachable(tx, class, name)
	if !ok {
		tx.Do(durable.Close{Conn: conn, Code: 4404, Reason: "Sub-agent connection rejected (404)"})
		return
	}
	tx.SQL(`INSERT INTO drill (conn, run, path) VALUES (?, ?, ?)`, string(conn), r.ID, rest)
	o.openDrillIn(tx, conn, r, rest, again)
}

func (o *Object) openDrillIn(tx *durable.Tx, conn durable.ConnID, r run.Run, rest string, again bool) {
	if o.drillIns == nil {
		o.drillIns = map[durable.ConnID]*drillIn{}
	}
	o.drillIns[conn] = &drillIn{}
	tx.Do(durable.OpenStream{
		Stream: facet.DrillInPrefix + string(conn), From: facet.Of(r), Data: facet.OpenSocket.Request(facet.SocketRequest{Conn: string(conn), Name: r.ID, Path: rest, Again: again, Generation: r.Generation}),
	})
}

// loadDrillIns resumes the helpers' sockets that are still connected, and returns the other
// connections. If a frame of a socket was under way, the frame may be lost, and its sender may wait
// for an answer without a limit. That socket is closed, and its client reconnects and asks again.
func (o *Object) loadDrillIns(tx *durable.Tx, present []durable.ConnID) []durable.ConnID {
	own := present[:0:0]
	for _, conn := range present {
		rows := tx.SQL(`SELECT run, path, asked FROM drill WHERE conn = ?`, string(conn))
		if len(rows) == 0 {
			own = append(own, conn)
			continue
		}
		r, known := run.FindBrief(tx, rows[0].Text(0))
		switch {
		case !known:
			tx.Do(durable.Close{Conn: conn, Code: 4404, Reason: "the run was deleted"})
		case rows[0].Int(2) > 0:
			tx.Do(durable.Close{Conn: conn, Code: 1012, Reason: "the helper restarts"})
		default:
			o.openDrillIn(tx, conn, r, rows[0].Text(1), true)
		}
	}
	for _, row := range tx.SQL(`SELECT conn FROM drill ORDER BY conn`) {
		if conn := durable.ConnID(row.Text(0)); o.drillIns[conn] == nil {
			o.forgetDrillIn(tx, conn)
		}
	}
	return own
}

// forgetDrillIn forgets a socket. If its helper has not acknowledged all frames of the socket, it
// is unknown which of them the helper has received, and when the helper wants to be woken. The
// helper is asked soon: otherwise its turn would stop when it loses its memory.
func (o *Object) forgetDrillIn(tx *durable.Tx, conn durable.ConnID) {
	for _, row := range tx.SQL(`DELETE FROM drill WHERE conn = ? RETURNING run, asked`, string(conn)) {
		if r, ok := run.Find(tx, row.Text(0)); ok && row.Int(1) > 0 {
			o.runs.RequireWakeSoon(tx, r)
		}
	}
}

// drillInRun returns the run whose helper a socket is connected to, without its input and result.
func drillInRun(tx *durable.Tx, conn durable.ConnID) (run.Run, bool) {
	for _, row := range tx.SQL(`SELECT run FROM drill WHERE conn = ?`, string(conn)) {
		return run.FindBrief(tx, row.Text(0))
	}
	return run.Run{}, false
}

// relayFrame sends a socket's frame to its helper. It says whether the socket is connected to one.
func (o *Object) relayFrame(tx *durable.Tx, e durable.SocketMessage) bool {
	d := o.drillIns[e.Conn]
	if d == nil {
		return false
	}
	r, ok := drillInRun(tx, e.Conn)
	switch {
	case !ok:
		tx.Do(durable.Close{Conn: e.Conn, Code: 4404, Reason: "the run was deleted"})
	case len(e.Text) > protocol.Limits.Frame:
		audience.Send(tx, protocol.Error("frame is too large"), e.Conn)
	case e.Binary:
	case len(d.held) == maxHeldFrames:
		tx.Do(durable.Close{Conn: e.Conn, Code: 1013, Reason: "the helper does not answer"})
	default:
		tx.SQL(`UPDATE drill SET asked = asked + 1 WHERE conn = ?`, string(e.Conn))
		d.held = append(d.held, e.Text)
		o.flushHeld(tx, e.Conn, r)
	}
	return true
}

// flushHeld sends the frames that were held, once the helper knows the socket.
func (o *Object) flushHeld(tx *durable.Tx, conn durable.ConnID, r run.Run) {
	d := o.drillIns[conn]
	if !d.ready {
		return
	}
	for _, text := range d.held {
		o.runs.Send(tx, r, facet.CallFrame+string(conn), facet.SendFrame.Request(facet.FrameRequest{Conn: string(conn), Text: text}))
	}
	d.held = nil
}

// frameAcknowledged handles a helper's answer to a frame. If the frame was lost, its socket is
// closed: the client then reconnects and asks again.
func (o *Object) frameAcknowledged(tx *durable.Tx, conn durable.ConnID, data []byte, failure string) {
	tx.SQL(`UPDATE drill SET asked = asked - 1 WHERE conn = ?`, string(conn))
	if failure != "" {
		tx.Do(durable.Close{Conn: conn, Code: 1011, Reason: "the helper failed"})
	}
	r, ok := drillInRun(tx, conn)
	if !ok {
		return
	}
	o.runs.Acknowledged(tx, r)
	w, err := facet.SendFrame.Result(data)
	switch {
	case err != nil || failure != "":
		o.runs.RequireWakeSoon(tx, r)
	case w.At > 0:
		o.runs.RequireWake(tx, r, w.At)
	default: // no other answer to a frame has newer information
		if w.At == 0 && len(tx.SQL(`SELECT 1 FROM drill WHERE run = ? AND asked > 0`, r.ID)) == 0 {
			tx.SQL(`DELETE FROM unwoken WHERE run = ?`, r.ID)
		}
		o.runs.ScheduleWake(tx, r.ID, w.At)
	}
}

// closeDrillIns closes the sockets of a deleted run's helper permanently. They stay registered
// until they are gone, so that a late frame of theirs is not handled as a frame to the parent.
func (o *Object) closeDrillIns(tx *durable.Tx, r run.Run) {
	for _, row := range tx.SQL(`SELECT conn FROM drill WHERE run = ? ORDER BY conn`, r.ID) {
		conn := row.Text(0)
		tx.Do(durable.CancelStream{Stream: facet.DrillInPrefix + conn})
		tx.Do(durable.Close{Conn: durable.ConnID(conn), Code: 4404, Reason: "the run was deleted"})
	}
}

// closeDrillIn forgets a socket that is gone. It says whether the socket was connected to a helper.
func (o *Object) closeDrillIn(tx *durable.Tx, conn durable.ConnID) bool {
	if o.drillIns[conn] == nil {
		return false
	}
	if r, ok := drillInRun(tx, conn); ok {
		o.runs.ForgetSent(r.ID)
	}
	delete(o.drillIns, conn)
	o.forgetDrillIn(tx, conn)
	tx.Do(durable.CancelStream{Stream: facet.DrillInPrefix + string(conn)})
	return true
}

// drillInData sends a helper's data on to the socket.
func (o *Object) drillInData(tx *durable.Tx, conn durable.ConnID, data []byte) {
	d := o.drillIns[conn]
	if d == nil {
		return
	}
	frames, err := d.reader.Feed(data)
	for _, f := range frames {
		switch f.Kind {
		case wire.KindChunk:
			audience.Send(tx, string(f.Body), conn)
		case wire.KindEnd:
			var c facet.CloseFrame
			if json.Unmarshal(f.Body, &c) != nil {
				c = facet.CloseFrame{Code: 1011, Reason: "the helper closed the connection"}
			}
			tx.Do(durable.Close{Conn: conn, Code: c.Code, Reason: c.Reason})
		case wire.KindError: // the object there is not the run's helper, and is wiped soon
			tx.Do(durable.Close{Conn: conn, Code: 1012, Reason: "the helper restarts"})
			return
		}
	}
	if err != nil {
		tx.Do(durable.Close{Conn: conn, Code: 1011, Reason: "the helper cannot be understood"})
		return
	}
	d.ready = true
	if len(d.held) == 0 {
		return
	}
	if r, ok := drillInRun(tx, conn); ok {
		o.flushHeld(tx, conn, r)
	}
}

// drillInEnded handles the end of a helper's stream. It closes the socket with a code that lets its
// client reconnect and find the helper again.
func (o *Object) drillInEnded(tx *durable.Tx, conn durable.ConnID) {
	if d := o.drillIns[conn]; d != nil && !d.reader.Finished() {
		tx.Do(durable.Close{Conn: conn, Code: 1012, Reason: "the helper restarts"})
	}
}

// respondSub answers a request that is meant for a helper, and says whether it was.
func (o *Object) respondSub(tx *durable.Tx, e durable.RequestReceived) bool {
	class, name, rest, ok := subPath(e.URL)
	if !ok {
		return false
	}
	r, known := reachable(tx, class, name)
	_, _, _, deeper := subPath(helperPath(rest))
	if !known || deeper || !asksMessages(e.URL) { // a helper's own helper sends its messages only over a socket
		respondText(tx, e.Request, 404, "Not Found")
		return true
	}
	tx.Do(durable.Call{Call: facet.CallMessages + e.Request, To: facet.Of(r), Data: facet.ListMessages.Request(facet.MessagesRequest{Generation: r.Generation})})
	return true
}
