package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file closes each socket when the token that opened it expires. The front door says when that is. A row keeps the time,
// since the platform keeps a socket while the object sleeps. The row stays until the socket is gone: if a Close was lost, the
// socket is closed when the object is opened again. One entry of the schedule wakes the object at the next expiry.

// dueUnauthorized is when the next socket's authorization expires.
const dueUnauthorized = "unauthorized"

// authorization is a socket that was opened with a token, and when that ends, in milliseconds since 1970.
type authorization struct {
	conn  durable.ConnID
	until int64
}

// unauthorized closes a socket as the front door does that refuses a token: the published client stops, and its page asks
// for a new one.
func unauthorized(tx *durable.Tx, conn durable.ConnID) {
	tx.Do(durable.Close{Conn: conn, Code: 4401, Reason: "Unauthorized: the token has expired"})
}

// arrive lets in a new socket for as long as it is authorized.
func (h *Host) arrive(tx *durable.Tx, e durable.SocketOpened) {
	until, ends := protocol.AuthorizedUntil(e.URL)
	if ends && until <= tx.Now {
		unauthorized(tx, e.Conn)
		return
	}
	h.connect(tx, e, false)
	if !ends || !h.heard(e.Conn) {
		return
	}
	tx.SQL(`INSERT INTO authorized (conn, until) VALUES (?, ?)`, string(e.Conn), until)
	h.authorized = append(h.authorized, authorization{e.Conn, until})
	h.watchUntil(tx)
}

// heard says whether the frames of a socket are handled.
func (h *Host) heard(conn durable.ConnID) bool { return h.roster.has(conn) || h.drills[conn] != nil }

// expire closes the sockets whose authorization has expired. It runs before every event, so that no later frame of theirs
// is handled.
func (h *Host) expire(tx *durable.Tx) {
	if h.nextEnd == 0 || tx.Now < h.nextEnd {
		return
	}
	for _, a := range h.authorized {
		if a.until <= tx.Now && h.heard(a.conn) {
			h.disconnect(tx, a.conn)
			unauthorized(tx, a.conn)
		}
	}
	h.watchUntil(tx)
}

// disconnect drops a socket from those that are handled, with every answer that it waits for.
func (h *Host) disconnect(tx *durable.Tx, conn durable.ConnID) {
	if !h.undrill(tx, conn) {
		h.roster.remove(tx, conn)
		h.forgive(tx, conn)
	}
}

// depart forgets a socket that is gone.
func (h *Host) depart(tx *durable.Tx, conn durable.ConnID) {
	h.disconnect(tx, conn)
	for i, a := range h.authorized {
		if a.conn == conn {
			tx.SQL(`DELETE FROM authorized WHERE conn = ?`, string(conn))
			h.authorized = append(h.authorized[:i], h.authorized[i+1:]...)
			h.watchUntil(tx)
			return
		}
	}
}

// loadUntil returns those of the sockets that are authorized, and closes the others.
func (h *Host) loadUntil(tx *durable.Tx, present []durable.ConnID) []durable.ConnID {
	left := slices.Clone(present)
	for _, row := range tx.SQL(`SELECT conn, until FROM authorized ORDER BY conn`) {
		a := authorization{durable.ConnID(row.Text(0)), row.Int(1)}
		at := slices.Index(left, a.conn)
		if at < 0 {
			tx.SQL(`DELETE FROM authorized WHERE conn = ?`, string(a.conn))
			continue
		}
		h.authorized = append(h.authorized, a)
		if a.until <= tx.Now {
			unauthorized(tx, a.conn)
			left = append(left[:at], left[at+1:]...)
		}
	}
	return left
}

// watchUntil finds the next expiry and schedules it.
func (h *Host) watchUntil(tx *durable.Tx) {
	h.nextEnd = 0
	for _, a := range h.authorized {
		if h.heard(a.conn) && (h.nextEnd == 0 || a.until < h.nextEnd) {
			h.nextEnd = a.until
		}
	}
	have := durable.NextDueOf(tx, func(kind string) bool { return kind == dueUnauthorized })
	switch {
	case h.nextEnd == have:
	case h.nextEnd == 0:
		tx.Unschedule(dueUnauthorized, "")
	default:
		tx.Schedule(dueUnauthorized, "", h.nextEnd)
	}
}
