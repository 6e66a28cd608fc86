package audience

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about the lines that clients write to the log: with frames that are refused, with
// answers without a scope, and with whatever makes an author's code fail. Each message is written once
// an hour for a socket. The other lines are counted, and the count is written when the hour is over or
// the socket is gone. All requests together count as one socket.

// hour is how long lines are counted, in milliseconds.
const hour = 3_600_000

// lines are those of one socket, or of all together.
type lines struct {
	since int64
	// written is how many were written since then, and left how many were not.
	written, left int
	messages      map[string]bool
}

// boundLines keeps the lines of an event that a client has caused within the limits.
func (c *Audience) boundLines(tx *durable.Tx) {
	if !c.meter.asked || !hasLog(tx.Commands()) {
		return
	}
	conn := c.meter.cause
	own, known := c.lines[conn]
	if !known {
		own = &lines{since: tx.Now}
		if c.lines == nil {
			c.lines = map[durable.ConnID]*lines{}
		}
		c.lines[conn] = own
	}
	again := own.turn(tx.Now)
	c.allLines.turn(tx.Now)
	tx.Rewrite(func(command durable.Command) []durable.Command {
		line, ok := command.(durable.Log)
		if !ok {
			return []durable.Command{command}
		}
		// A socket of an earlier life of the object has written its warnings in that life.
		muted := c.earlier[conn] && line.Level != durable.Error
		if muted || own.messages[line.Message] || own.written >= limit.SocketLines-1 || c.allLines.written >= limit.ConversationLines {
			own.left++
			return nil
		}
		if own.messages == nil {
			own.messages = map[string]bool{}
		}
		own.messages[line.Message] = true
		own.written++
		c.allLines.written++
		return []durable.Command{line}
	})
	if again > 0 {
		sendLeft(tx, conn, again)
	}
}

func hasLog(commands []durable.Command) bool {
	for _, command := range commands {
		if _, ok := command.(durable.Log); ok {
			return true
		}
	}
	return false
}

// turn begins a new hour if the last one is over, and returns how many lines were left out in that.
func (l *lines) turn(now int64) (left int) {
	if now >= l.since && now < l.since+hour {
		return 0
	}
	left = l.left
	*l = lines{since: now}
	return left
}

// ForgetLines forgets the lines of a socket that is gone, and writes how many were left out.
func (c *Audience) ForgetLines(tx *durable.Tx, conn durable.ConnID) {
	if l := c.lines[conn]; l != nil && l.left > 0 && c.allLines.written < limit.ConversationLines {
		c.allLines.written++
		sendLeft(tx, conn, l.left)
	}
	delete(c.lines, conn)
	delete(c.earlier, conn)
}

func sendLeft(tx *durable.Tx, conn durable.ConnID, left int) {
	tx.Log(durable.Warn, "lines of a client were left out", "conn", string(conn), "lines", strconv.Itoa(left))
}
