package drill

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

// maxBufferedFrames is how many frames of a socket are held until its helper knows the socket.
const maxBufferedFrames = 8

// drillIn is a browser's socket that is connected to a helper.
type drillIn struct {
	reader wire.Reader
	// ready says that the helper has sent something, and so knows the socket. Earlier frames are
	// held: the helper would lose a frame of a socket that it does not know.
	ready    bool
	buffered []durable.SocketMessage
}

// SubPath finds /sub/{class}/{name} in an undecoded path, and what follows it. It takes the first
// place that has a class and a name. A helper finds the next one.
func SubPath(target string) (class, name, rest string, ok bool) {
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

// HelperPath is the path that a helper is given: its own path, then the rest of the socket's path.
func HelperPath(rest string) string { return "/agents/helper/run/" + rest }

// Reachable finds the run that a class segment and a name refer to.
func Reachable(tx *durable.Tx, class, name string) (run.Run, bool) {
	r, ok := run.Find(tx, name)
	return r, ok && r.Slot > 0 && protocol.Kebab(r.Class) == class
}

// Accept connects a socket to a helper, or refuses it permanently.
func (d *Drill) Accept(tx *durable.Tx, conn durable.ConnID, class, name, rest string, again bool) {
	r, ok := Reachable(tx, class, name)
	if !ok {
		tx.Do(durable.Close{Conn: conn, Code: 4404, Reason: "Sub-agent connection rejected (404)"})
		return
	}
	tx.SQL(`INSERT INTO drill (conn, run, path) VALUES (?, ?, ?)`, string(conn), r.ID, rest)
	d.openDrillIn(tx, conn, r, rest, again)
	d.runs.NotifyWatched(tx, r)
}

func (d *Drill) openDrillIn(tx *durable.Tx, conn durable.ConnID, r run.Run, rest string, again bool) {
	if d.drillIns == nil {
		d.drillIns = map[durable.ConnID]*drillIn{}
	}
	d.drillIns[conn] = &drillIn{}
	tx.Do(durable.OpenStream{
		Stream: facet.DrillInPrefix + string(conn), From: facet.Of(r), Data: facet.OpenSocket.Request(facet.SocketRequest{Conn: string(conn), Name: r.ID, Path: rest, Again: again, Generation: r.Generation}),
	})
}

// Load resumes the helpers' sockets that are still connected, and returns the other
// connections. If a frame of a socket was under way, the frame may be lost, and its sender may wait
// for an answer without a limit. That socket is closed, and its client reconnects and asks again.
func (d *Drill) Load(tx *durable.Tx, present []durable.ConnID) []durable.ConnID {
	rows := tx.SQL(`SELECT conn, run, path, asked FROM drill ORDER BY conn`)
	byConn := map[durable.ConnID]durable.Row{}
	for _, row := range rows {
		byConn[durable.ConnID(row.Text(0))] = row
	}
	own := present[:0:0]
	for _, conn := range present {
		row, drilled := byConn[conn]
		if !drilled {
			own = append(own, conn)
			continue
		}
		r, known := run.FindBrief(tx, row.Text(1))
		switch {
		case !known:
			tx.Do(durable.Close{Conn: conn, Code: 4404, Reason: "the run was deleted"})
		case row.Int(3) > 0:
			tx.Do(durable.Close{Conn: conn, Code: 1012, Reason: "the helper restarts"})
		default:
			d.openDrillIn(tx, conn, r, row.Text(2), true)
		}
	}
	for _, row := range rows {
		if conn := durable.ConnID(row.Text(0)); d.drillIns[conn] == nil {
			d.forgetDrillIn(tx, conn)
		}
	}
	return own
}

// forgetDrillIn forgets a socket. If its helper has not acknowledged all frames of the socket, it
// is unknown which of them the helper has received, and when the helper wants to be woken. The
// helper is asked soon: otherwise its turn would stop when it loses its memory.
func (d *Drill) forgetDrillIn(tx *durable.Tx, conn durable.ConnID) {
	for _, row := range tx.SQL(`DELETE FROM drill WHERE conn = ? RETURNING run, asked`, string(conn)) {
		if r, ok := run.Find(tx, row.Text(0)); ok && row.Int(1) > 0 {
			d.runs.RequireWakeSoon(tx, r)
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

// Relay sends a socket's frame to its helper, with the claims that are granted to its sender here: the
// helper's author may grant nothing anew. It says whether the socket is connected to a helper.
func (d *Drill) Relay(tx *durable.Tx, e durable.SocketMessage, granted func() string) bool {
	in := d.drillIns[e.Conn]
	if in == nil {
		return false
	}
	r, ok := drillInRun(tx, e.Conn)
	switch {
	case !ok:
		tx.Do(durable.Close{Conn: e.Conn, Code: 4404, Reason: "the run was deleted"})
	case len(e.Text) > protocol.Limits.Frame:
		audience.Send(tx, protocol.Error("frame is too large"), e.Conn)
		d.Acknowledge(tx, e.Conn)
	case e.Binary:
		d.Acknowledge(tx, e.Conn)
	case len(in.buffered) == maxBufferedFrames:
		tx.Do(durable.Close{Conn: e.Conn, Code: 1013, Reason: "the helper does not answer"})
	default:
		tx.SQL(`UPDATE drill SET asked = asked + 1 WHERE conn = ?`, string(e.Conn))
		e.Claims = granted()
		in.buffered = append(in.buffered, e)
		d.flushBuffered(tx, e.Conn, r)
	}
	return true
}

// flushBuffered sends the frames that were held, once the helper knows the socket.
func (d *Drill) flushBuffered(tx *durable.Tx, conn durable.ConnID, r run.Run) {
	in := d.drillIns[conn]
	if !in.ready {
		return
	}
	for _, e := range in.buffered {
		d.runs.Send(tx, r, facet.CallFrame+string(conn), facet.SendFrame.Request(facet.FrameRequest{Conn: string(conn), Text: e.Text, Claims: e.Claims}))
	}
	in.buffered = nil
}

// FrameReturned handles the end of the call that has brought a helper a frame. If the frame was lost,
// its socket is closed: the client then reconnects and asks again.
func (d *Drill) FrameReturned(tx *durable.Tx, conn durable.ConnID, data []byte, failure string) {
	if failure != "" {
		tx.Do(durable.Close{Conn: conn, Code: 1011, Reason: "the helper failed"})
	}
	r, ok := drillInRun(tx, conn)
	if !ok {
		return
	}
	d.runs.Acknowledged(tx, r)
	w, err := facet.SendFrame.Result(data)
	switch {
	case err != nil || failure != "":
		d.runs.RequireWakeSoon(tx, r)
	case w.At > 0:
		d.runs.RequireWake(tx, r, w.At)
	default: // no other answer to a frame has newer information
		if w.At == 0 && len(tx.SQL(`SELECT 1 FROM drill WHERE run = ? AND asked > 0`, r.ID)) == 0 {
			d.runs.ResetWakes(tx, r.ID)
		}
		d.runs.ScheduleWake(tx, r.ID, w.At)
	}
}

// CloseOf closes the sockets of a deleted run's helper permanently. They stay registered
// until they are gone, so that a late frame of theirs is not handled as a frame to the parent.
func (d *Drill) CloseOf(tx *durable.Tx, r run.Run) {
	for _, row := range tx.SQL(`SELECT conn FROM drill WHERE run = ? ORDER BY conn`, r.ID) {
		conn := row.Text(0)
		tx.Do(durable.CancelStream{Stream: facet.DrillInPrefix + conn})
		tx.Do(durable.Close{Conn: durable.ConnID(conn), Code: 4404, Reason: "the run was deleted"})
	}
}

// Close forgets a socket that is gone. It says whether the socket was connected to a helper.
func (d *Drill) Close(tx *durable.Tx, conn durable.ConnID) bool {
	if d.drillIns[conn] == nil {
		return false
	}
	r, ok := drillInRun(tx, conn)
	if ok {
		d.runs.ForgetSent(r.ID)
	}
	delete(d.drillIns, conn)
	d.forgetDrillIn(tx, conn)
	tx.Do(durable.CancelStream{Stream: facet.DrillInPrefix + string(conn)})
	if ok && !d.Reaches(tx, r) {
		d.runs.Unused(tx, r)
	}
	return true
}

// Reaches says whether a socket is connected to the helper of a run.
func (d *Drill) Reaches(tx *durable.Tx, r run.Run) bool {
	return len(tx.SQL(`SELECT 1 FROM drill WHERE run = ? LIMIT 1`, r.ID)) > 0
}

// Data sends a helper's data on to the socket.
func (d *Drill) Data(tx *durable.Tx, conn durable.ConnID, data []byte) {
	in := d.drillIns[conn]
	if in == nil {
		return
	}
	frames, err := in.reader.Feed(data)
	for _, f := range frames {
		switch f.Kind {
		case wire.KindChunk:
			audience.Send(tx, string(f.Body), conn)
		case wire.KindHeartbeat: // everything that answers a frame has come
			tx.SQL(`UPDATE drill SET asked = asked - 1 WHERE conn = ? AND asked > 0`, string(conn))
			d.Acknowledge(tx, conn)
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
	in.ready = true
	if len(in.buffered) == 0 {
		return
	}
	if r, ok := drillInRun(tx, conn); ok {
		d.flushBuffered(tx, conn, r)
	}
}

// Ended handles the end of a helper's stream. It closes the socket with a code that lets its
// client reconnect and find the helper again.
func (d *Drill) Ended(tx *durable.Tx, conn durable.ConnID) {
	if in := d.drillIns[conn]; in != nil && !in.reader.Finished() {
		tx.Do(durable.Close{Conn: conn, Code: 1012, Reason: "the helper restarts"})
	}
}
