package mcpclient

import "github.com/tributary-agents/tributary/durable"

// This file is about the entries of the schedule that belong to the servers.

// Due is the kind of the entries of the schedule. The id is that of a server, which is asked again or has
// not answered in time, or "" for the end of the time for which a turn waits.
const Due = "mcp"

// DueFrame is the kind of the entry that sends a frame which had to wait.
const DueFrame = "mcp-frame"

// IsDue says whether an entry of the schedule belongs to the servers.
func IsDue(kind string) bool {
	return kind == Due || kind == DuePutOff || kind == DueFrame || kind == DueSign || kind == dueRelay || kind == dueAsked
}

// HandleDue handles an entry of the schedule. Nobody asks for what it begins anew.
func (r *Servers) HandleDue(tx *durable.Tx, due durable.Due) {
	defer r.unaskedFor()()
	id := due.ID
	switch due.Kind {
	case DueFrame:
		r.changed = true
		return
	case DueSign:
		r.signDue(tx, id)
		return
	case dueRelay:
		r.resumeRelayed(tx, id)
		return
	case dueAsked:
		r.unanswered(tx, id)
		return
	}
	if id == "" {
		r.impatient = true
		r.config.ResumeTurn(tx)
		return
	}
	s, x := r.Find(tx, id), r.exchanges[id]
	switch {
	case s == nil:
	case due.Kind == DuePutOff:
		r.begin(tx, s, s.State == Ready)
	case x != nil && x.rests:
		r.try(tx, s, x)
	case x != nil:
		r.overtime(tx, s, x)
	case s.tries >= maxTries:
		r.fail(tx, s, "asking the server was interrupted several times")
	default:
		r.begin(tx, s, s.State == Ready)
	}
}
