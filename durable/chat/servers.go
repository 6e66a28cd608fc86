package chat

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about the servers of the Model Context Protocol that the agent uses, if it has the option.

// Servers implements [author.Object].
func (h host) Servers() author.Servers { return h.o.servers }

// Resume implements [author.Object].
func (h host) Resume(tx *durable.Tx, routine string) { h.o.resumeRoutine(tx, "", routine) }

// CallModel implements [author.Object].
func (h host) CallModel(tx *durable.Tx) { h.o.loop.CallModel(tx) }

// Model implements [author.Object].
func (h host) Model() (model.Model, error) { return h.o.model(h.o.vars, h.o.secrets) }

// ShowNote implements [author.Object].
func (h host) ShowNote(tx *durable.Tx, chunk []byte) {
	if h.o.loop.IsActive() && len(h.o.audience.Listening()) > 0 {
		t := h.o.loop.Turn()
		h.o.audience.SendNote(tx, protocol.Response{ID: t.Request, Body: chunk, Seq: -1, Continuation: t.Continues}.Encode())
	}
}

// prepare says whether a model call has to wait for the servers.
func (o *Object) prepare(tx *durable.Tx) (wait bool) {
	return o.servers != nil && o.servers.Prepare(tx)
}

// greetWithServers tells a browser that connects of the servers. Without the option nothing is sent.
func (o *Object) greetWithServers(tx *durable.Tx, e durable.SocketOpened) {
	if o.servers == nil {
		return
	}
	who := mcpclient.PersonOf(e.Claims)
	o.keepOwner(e.Conn, who)
	audience.Send(tx, o.servers.Frame(tx, who), e.Conn)
}

// takeSignature takes from claims what the front door says of the object's address. Only the servers need it.
func (o *Object) takeSignature(claims string) {
	var verified struct {
		Signature string `json:"sig"`
	}
	if o.servers == nil || claims == "" || json.Unmarshal([]byte(claims), &verified) != nil || verified.Signature == "" {
		return
	}
	o.servers.TakeSignature(verified.Signature)
	o.signed = true
}

// noteOwner notes whose a socket is, of which only the servers need to know. A socket that was open before the
// memory was lost is not known until it sends something. It is then told of the links of its person.
func (o *Object) noteOwner(tx *durable.Tx, conn durable.ConnID, claims string) {
	if _, known := o.owners[conn]; known || o.servers == nil || claims == "" || !o.audience.Has(conn) {
		return
	}
	o.keepOwner(conn, mcpclient.PersonOf(claims))
	if _, at := o.askersAt(tx); at(conn) != "" {
		who := at(conn)
		o.audience.Show(tx, audience.Servers, func() string { return o.servers.Frame(tx, who) }, conn)
	}
}

func (o *Object) keepOwner(conn durable.ConnID, who string) {
	if o.owners == nil {
		o.owners = map[durable.ConnID]string{}
	}
	o.owners[conn] = who
}

// askersAt returns the persons whose links are shown now, and a function that says which of them has a socket. It
// says "" for anybody else.
func (o *Object) askersAt(tx *durable.Tx) (askers []string, at func(durable.ConnID) string) {
	if o.servers != nil {
		askers = o.servers.Askers(tx)
	}
	return askers, func(conn durable.ConnID) string {
		if who := o.owners[conn]; who != "" && slices.Contains(askers, who) {
			return who
		}
		return ""
	}
}

// broadcastServers tells all browsers what has changed of the servers.
func (o *Object) broadcastServers(tx *durable.Tx) {
	if o.servers == nil {
		return
	}
	if !o.servers.News(tx) {
		return
	}
	// A link of one person is told to no other one, so what such people are told differs.
	askers, at := o.askersAt(tx)
	for _, who := range append(askers, "") {
		to := o.audience.Where(func(conn durable.ConnID) bool { return at(conn) == who })
		o.audience.Show(tx, audience.Servers, func() string { return o.servers.Frame(tx, who) }, to...)
	}
}

// serverTools returns the tools of the servers.
func (o *Object) serverTools(tx *durable.Tx) []agent.Tool {
	if o.servers == nil {
		return nil
	}
	return o.servers.Offered(tx).([]agent.Tool)
}

// isForCodeOnly says whether code can call a tool and the model cannot.
func (o *Object) isForCodeOnly(tx *durable.Tx, tool string) bool {
	return o.servers != nil && !o.servers.Offers(tx, tool)
}

// serverMethod returns a method by which clients manage the servers.
func (o *Object) serverMethod(name string) (agent.Method, bool) {
	if o.servers == nil {
		return nil, false
	}
	method, ok := o.servers.Method(name).(agent.Method)
	return method, ok && method != nil
}
