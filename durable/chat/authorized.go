package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file closes each socket when the token that opened it expires. The front door says when that
// is. A row keeps the time, since the platform keeps a socket while the object sleeps. The row stays
// until the socket is gone: if a Close was lost, the socket is closed when the object is opened again.
// One entry of the schedule wakes the object at the next expiry.

// authorization is a socket that was opened with a token: whose it is, and the time when its
// authorization expires, in milliseconds since 1970, or 0 for never.
type authorization struct {
	conn   durable.ConnID
	until  int64
	person string
}

// isOver says whether the authorization has expired.
func (a authorization) isOver(now int64) bool { return a.until > 0 && a.until <= now }

// unauthorized closes a socket with the code that the front door uses to refuse a token. The
// published client then stops, and its page asks for a new token.
func unauthorized(tx *durable.Tx, conn durable.ConnID) {
	tx.Do(durable.Close{Conn: conn, Code: 4401, Reason: "Unauthorized: the token has expired"})
}

// socketOpened accepts a new socket until its authorization expires.
func (o *Object) socketOpened(tx *durable.Tx, e durable.SocketOpened) {
	until, ends := protocol.AuthorizedUntil(e.URL)
	if ends && until <= tx.Now {
		unauthorized(tx, e.Conn)
		return
	}
	if !o.audience.AdmitSocket(tx, e.Conn, e.Claims) {
		return
	}
	o.connect(tx, e, false)
	person := claims.Person(e.Claims)
	if !ends {
		until = 0
	}
	if !ends && person == share.Everybody || !o.isConnected(e.Conn) {
		return
	}
	tx.SQL(`INSERT INTO authorized (conn, until, person) VALUES (?, ?, ?)`, string(e.Conn), until, person)
	o.authorized = append(o.authorized, authorization{e.Conn, until, person})
	for i := len(o.authorized) - 1; i > 0 && o.authorized[i].conn < o.authorized[i-1].conn; i-- { // the order in which they are read again
		o.authorized[i], o.authorized[i-1] = o.authorized[i-1], o.authorized[i]
	}
	o.scheduleExpiry(tx)
}

// sockets returns whose the connected sockets are.
func (o *Object) sockets() (held share.Held) {
	for _, a := range o.authorized {
		if o.isConnected(a.conn) {
			held.AddOf(a.person, 1)
		}
	}
	held.AddOf(share.Everybody, o.audience.Count()+o.drill.Count()-held.All())
	return held
}

// personOf returns whose a socket is.
func (o *Object) personOf(conn durable.ConnID) string {
	for _, a := range o.authorized {
		if a.conn == conn {
			return a.person
		}
	}
	return share.Everybody
}

// isConnected says whether the frames of a socket are handled.
func (o *Object) isConnected(conn durable.ConnID) bool {
	return o.audience.Has(conn) || o.drill.Has(conn)
}

// closeExpired closes the sockets whose authorization has expired. It runs before every event, so that no
// later frame of theirs is handled.
func (o *Object) closeExpired(tx *durable.Tx) {
	if o.nextEnd == 0 || tx.Now < o.nextEnd {
		return
	}
	for _, a := range o.authorized {
		if a.isOver(tx.Now) && o.isConnected(a.conn) {
			o.disconnect(tx, a.conn)
			unauthorized(tx, a.conn)
		}
	}
	o.scheduleExpiry(tx)
}

// disconnect stops handling a socket, and drops every answer that it waits for.
func (o *Object) disconnect(tx *durable.Tx, conn durable.ConnID) {
	delete(o.owners, conn)
	if !o.drill.Close(tx, conn) {
		o.audience.Remove(tx, conn)
		o.dropCalls(tx, conn)
	}
}

// socketClosed forgets a socket that is gone.
func (o *Object) socketClosed(tx *durable.Tx, conn durable.ConnID) {
	o.disconnect(tx, conn)
	o.audience.ForgetLines(tx, conn)
	for i, a := range o.authorized {
		if a.conn == conn {
			tx.SQL(`DELETE FROM authorized WHERE conn = ?`, string(conn))
			o.authorized = append(o.authorized[:i], o.authorized[i+1:]...)
			o.scheduleExpiry(tx)
			return
		}
	}
}

// loadExpiries returns the sockets whose authorization is still valid, and closes the others.
func (o *Object) loadExpiries(tx *durable.Tx, present []durable.ConnID) []durable.ConnID {
	left := slices.Clone(present)
	for _, row := range tx.SQL(`SELECT conn, until, person FROM authorized ORDER BY conn`) {
		a := authorization{durable.ConnID(row.Text(0)), row.Int(1), row.Text(2)}
		at := slices.Index(left, a.conn)
		if at < 0 {
			tx.SQL(`DELETE FROM authorized WHERE conn = ?`, string(a.conn))
			continue
		}
		o.authorized = append(o.authorized, a)
		if a.isOver(tx.Now) {
			unauthorized(tx, a.conn)
			left = append(left[:at], left[at+1:]...)
		}
	}
	return left
}

// scheduleExpiry finds the next expiry and schedules it.
func (o *Object) scheduleExpiry(tx *durable.Tx) {
	o.nextEnd = 0
	for _, a := range o.authorized {
		if a.until > 0 && o.isConnected(a.conn) && (o.nextEnd == 0 || a.until < o.nextEnd) {
			o.nextEnd = a.until
		}
	}
	have := durable.NextDueOf(tx, func(kind string) bool { return kind == dueUnauthorized })
	switch {
	case o.nextEnd == have:
	case o.nextEnd == 0:
		tx.Unschedule(dueUnauthorized, "")
	default:
		tx.Schedule(dueUnauthorized, "", o.nextEnd)
	}
}
