package chat

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/drill"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// maxMissedEnds is the number of ended turns that are reported to a socket if it is unknown which
// turn it followed.
const maxMissedEnds = 4

// connect greets a new socket. It sends the transcript first, which brings a returning tab up to
// date. Then it offers the active stream, which is replayed when the client is ready for it.
// Identity and state follow.
//
// The published hosts leave the transcript out while a stream is live. A tab that does not know the
// question yet would then put it after the answer, when the transcript at the turn's end brings it.
//
// Again says that the socket was connected before. It may have followed a turn, and may not have
// been told how that turn ended.
func (o *Object) connect(tx *durable.Tx, e durable.SocketOpened, again bool) {
	conn := e.Conn
	if strings.Contains(e.URL, "__agents_transport=capnweb") {
		tx.Do(durable.Close{Conn: conn, Code: 4400, Reason: "the capnweb transport is not served here"})
		return
	}
	if path, _, _ := strings.Cut(e.URL, "?"); len(path) > limit.Path {
		tx.Do(durable.Close{Conn: conn, Code: 4414, Reason: "the path is too long"})
		return
	}
	if err := share.Sockets.Refusal(e.Claims, o.sockets()); err != nil {
		tx.Do(durable.Close{Conn: conn, Code: 1013, Reason: "too many connections to this agent: " + err.Error()})
		return
	}
	if class, name, rest, ok := drill.SubPath(e.URL); ok {
		o.drill.Accept(tx, conn, class, name, rest, again)
		return
	}
	o.audience.Add(conn)
	transcript := protocol.Transcript(message.Transcript(tx), true)
	o.audience.NoteGreeting(tx, conn, len(transcript))
	audience.Send(tx, transcript, conn)
	if again {
		for _, t := range turn.Ended(tx, maxMissedEnds) {
			audience.Send(tx, endFrame(t).Encode(), conn)
		}
	}
	if o.loop.IsActive() {
		request := o.loop.Turn().Request
		o.audience.Offer(tx, conn, request)
		o.audience.NoteOpenOffer(conn, request)
		audience.Send(tx, protocol.Resuming(request, ""), conn)
	}
	if request := setting.Text(tx, settingRecovered); request != "" {
		audience.Send(tx, protocol.Recovering(request, o.loop.IsRecovering()), conn)
	}
	state := stateOf(tx)
	audience.Send(tx, protocol.Identity(o.name, protocol.Kebab(o.agent.Name), state != nil), conn)
	if state != nil {
		audience.Send(tx, protocol.State(state), conn)
	}
	o.greetWithServers(tx, e)
	o.audience.ReplayRuns(tx, conn)
}

// reads are the methods of a request that only reads, and onlyRead the words for any other one.
const (
	reads    = "GET, HEAD"
	onlyRead = "messages are only read here"
)

// respondMessages answers with the transcript.
func (o *Object) respondMessages(tx *durable.Tx, e durable.RequestReceived, _ []string) {
	respondList(tx, e.Request, protocol.MessageList(message.Transcript(tx)))
}

func respondList(tx *durable.Tx, request string, list []byte) {
	header := map[string]string{"content-type": "application/json", "cache-control": "no-store"}
	tx.Do(durable.Respond{Request: request, Status: 200, Header: header, Body: list})
}

func respondText(tx *durable.Tx, request string, status int, text string) {
	header := map[string]string{"content-type": "text/plain; charset=utf-8"}
	tx.Do(durable.Respond{Request: request, Status: status, Header: header, Body: []byte(text)})
}

// listing is a request for the transcript of a run's helper: which run, and the claims of who has asked.
type listing struct{ run, by string }

// lists says whether the helper of a run was asked for its transcript and has not answered.
func (o *Object) lists(r run.Run) bool {
	for _, l := range o.listings {
		if l.run == r.ID {
			return true
		}
	}
	return false
}

// respondSub answers a request that is meant for a helper.
func (o *Object) respondSub(tx *durable.Tx, e durable.RequestReceived, _ []string) {
	class, name, rest, ok := drill.SubPath(e.URL)
	path, _, _ := strings.Cut(e.URL, "?")
	asksMessages := strings.HasSuffix(path, "/get-messages")
	if asksMessages && e.Method != "GET" && e.Method != "HEAD" {
		refuseMethod(tx, e.Request, reads, onlyRead)
		return
	}
	r, known := drill.Reachable(tx, class, name)
	_, _, _, deeper := drill.SubPath(drill.HelperPath(rest))
	if !ok || !known || deeper || !asksMessages { // a helper's own helper sends its messages only over a socket
		respondText(tx, e.Request, 404, "Not Found")
		return
	}
	if o.listings == nil {
		o.listings = map[string]listing{}
	}
	o.listings[e.Request] = listing{r.ID, e.Claims}
	tx.Do(durable.Call{Call: facet.CallMessages + e.Request, To: facet.Of(r), Data: facet.ListMessages.Request(facet.MessagesRequest{Generation: r.Generation})})
}
