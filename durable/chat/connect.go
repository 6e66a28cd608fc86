package chat

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// mayHaveFollowed is of how many turns a socket hears that they are over, where nobody knows
// any more which one it has followed.
const mayHaveFollowed = 4

// connect greets a new socket: with the transcript, which heals a tab that was
// away; with the stream that is live, to be replayed once the client is ready
// for it; then identity and state.
//
// The published hosts leave the transcript out while a stream is live. A tab that
// does not know the question yet would then put it behind the answer, when the
// transcript at the turn's end brings it.
//
// Again says that the socket was there before, and that nobody has told it since what became
// of the turn that it may have followed.
func (h *Host) connect(tx *durable.Tx, e durable.SocketOpened, again bool) {
	conn := e.Conn
	if strings.Contains(e.URL, "__agents_transport=capnweb") {
		tx.Do(durable.Close{Conn: conn, Code: 4400, Reason: "the capnweb transport is not served here"})
		return
	}
	if path, _, _ := strings.Cut(e.URL, "?"); len(path) > limit.Path {
		tx.Do(durable.Close{Conn: conn, Code: 4414, Reason: "the path is too long"})
		return
	}
	if len(h.roster.order) >= MaxConns {
		tx.Do(durable.Close{Conn: conn, Code: 1013, Reason: "too many connections to this agent"})
		return
	}
	if class, name, rest, ok := subPath(e.URL); ok {
		h.drill(tx, conn, class, name, rest, again)
		return
	}
	h.roster.add(conn)
	h.greetedNow(tx)
	send(tx, protocol.Transcript(transcript(tx), true), conn)
	if again {
		for _, t := range turn.Ended(tx, mayHaveFollowed) {
			send(tx, ending(t).Encode(), conn)
		}
	}
	if h.live != nil {
		h.roster.offer(tx, conn, h.live.turn.Request)
		h.roster.open[conn] = h.live.turn.Request
		send(tx, protocol.Resuming(h.live.turn.Request, ""), conn)
	}
	if request := setting(tx, settingRecovered); request != "" {
		send(tx, protocol.Recovering(request, h.live != nil && h.live.recovering), conn)
	}
	state := stateOf(tx)
	send(tx, protocol.Identity(h.name, protocol.Kebab(h.agent.Class), state != nil), conn)
	if state != nil {
		send(tx, protocol.State(state), conn)
	}
	send(tx, protocol.NoServers, conn)
	h.replayRuns(tx, conn)
}

// respond answers an HTTP request.
func (h *Host) respond(tx *durable.Tx, e durable.RequestReceived) {
	path, _, _ := strings.Cut(e.URL, "?")
	switch {
	case len(path) > limit.Path:
		respondText(tx, e.Request, 414, "URI Too Long")
	case h.respondSub(tx, e):
	case !asksMessages(e.URL):
		respondText(tx, e.Request, 404, "Not implemented")
	default:
		respondMessages(tx, e.Request, protocol.MessageList(transcript(tx)))
	}
}

func asksMessages(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	return strings.HasSuffix(path, "/get-messages")
}

func respondMessages(tx *durable.Tx, request string, list []byte) {
	header := map[string]string{"content-type": "application/json", "cache-control": "no-store"}
	tx.Do(durable.Respond{Request: request, Status: 200, Header: header, Body: list})
}

func respondText(tx *durable.Tx, request string, status int, text string) {
	header := map[string]string{"content-type": "text/plain; charset=utf-8"}
	tx.Do(durable.Respond{Request: request, Status: status, Header: header, Body: []byte(text)})
}
