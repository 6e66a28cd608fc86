package chat

import (
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is how a socket ends with the token that opened it. The front door says when that is. A row keeps it, since the
// platform keeps a socket while the object sleeps; the row goes with the socket, so that one whose close was lost is
// closed when the object is opened again. One entry of the schedule wakes the object at the next end.

// dueUnauthorized is when the next socket's authorization ends.
const dueUnauthorized = "unauthorized"

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
	if h.until == nil {
		h.until = map[durable.ConnID]int64{}
	}
	h.until[e.Conn] = until
	h.watchUntil(tx)
}

// heard says whether what a socket brings is handled.
func (h *Host) heard(conn durable.ConnID) bool { return h.roster.has(conn) || h.drills[conn] != nil }

// expire closes the sockets whose authorization has ended, and hears them no more. It comes before every event, so that
// none is handled on them.
func (h *Host) expire(tx *durable.Tx) {
	if h.nextEnd == 0 || tx.Now < h.nextEnd {
		return
	}
	for _, conn := range slices.Sorted(maps.Keys(h.until)) {
		if h.heard(conn) && h.until[conn] <= tx.Now {
			h.disconnect(tx, conn)
			unauthorized(tx, conn)
		}
	}
	h.watchUntil(tx)
}

// disconnect forgets what is owed to a socket.
func (h *Host) disconnect(tx *durable.Tx, conn durable.ConnID) {
	if !h.undrill(tx, conn) {
		h.roster.remove(tx, conn)
		h.forgive(tx, conn)
	}
}

// depart forgets a socket that is gone.
func (h *Host) depart(tx *durable.Tx, conn durable.ConnID) {
	h.disconnect(tx, conn)
	if _, ends := h.until[conn]; ends {
		tx.SQL(`DELETE FROM authorized WHERE conn = ?`, string(conn))
		delete(h.until, conn)
		h.watchUntil(tx)
	}
}

// loadUntil returns those of the sockets that are authorized, and closes the others.
func (h *Host) loadUntil(tx *durable.Tx, present []durable.ConnID) []durable.ConnID {
	h.until = map[durable.ConnID]int64{}
	for _, row := range tx.SQL(`SELECT conn, until FROM authorized ORDER BY conn`) {
		conn := durable.ConnID(row.Text(0))
		if !slices.Contains(present, conn) {
			tx.SQL(`DELETE FROM authorized WHERE conn = ?`, string(conn))
			continue
		}
		h.until[conn] = row.Int(1)
	}
	return slices.DeleteFunc(slices.Clone(present), func(conn durable.ConnID) bool {
		until, ends := h.until[conn]
		if ends = ends && until <= tx.Now; ends {
			unauthorized(tx, conn)
		}
		return ends
	})
}

// watchUntil has the schedule follow the next end, which it finds.
func (h *Host) watchUntil(tx *durable.Tx) {
	h.nextEnd = 0
	for conn, until := range h.until {
		if h.heard(conn) && (h.nextEnd == 0 || until < h.nextEnd) {
			h.nextEnd = until
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
