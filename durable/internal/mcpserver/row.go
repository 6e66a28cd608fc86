package mcpserver

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// row is a call as it is stored.
type row struct {
	id   string
	turn int64
	// method and name say what is called: a tool or a prompt. input is the arguments, and digest that of
	// all three.
	method, name   string
	input          json.RawMessage
	digest, claims string
	// client is what its client can be asked.
	client clientJSON
	kind   kind
	state  state
	// round is how often the client was asked; for a call of a session, how many events of its stream have
	// a number. lost is how often an event of the object has trapped since the call began.
	round, lost int64
	// The times are in milliseconds since 1970. expires is 0 for a call that ends with its request.
	created, updated, expires int64
	// message says what the call is doing. asked are the questions to its client, in their order.
	message string
	asked   []question
	// result is that of a task that has ended, and told says that its client knows that it has.
	result       json.RawMessage
	acknowledged bool
	// ticket is that of the latest round, which its client sends with the answers, or "".
	ticket string
}

// kind is how a call is answered.
type kind string

// state is what has become of a call.
type state string

func (s state) final() bool { return s == completed || s == failed || s == cancelled }

// clientJSON is what a client can be asked, as it is stored.
type clientJSON struct {
	Form     bool `json:"form,omitempty"`
	URL      bool `json:"url,omitempty"`
	Sampling bool `json:"sampling,omitempty"`
	Tools    bool `json:"tools,omitempty"`
	Roots    bool `json:"roots,omitempty"`
	// Version is that of a legacy client, Session its session if it has one. Request and Token are the id
	// and the progress token of the request of a call.
	Version string          `json:"version,omitempty"`
	Session string          `json:"session,omitempty"`
	Request json.RawMessage `json:"request,omitempty"`
	Token   json.RawMessage `json:"token,omitempty"`
}

// clientOf returns what a client says that it can be asked.
func clientOf(c mcp.Caller) clientJSON {
	can := c.Capabilities
	return clientJSON{Form: can.Form, URL: can.URL, Sampling: can.Sampling, Tools: can.SamplingTools, Roots: can.Roots}
}

func (c clientJSON) capabilities() mcp.ClientCapabilities {
	return mcp.ClientCapabilities{Form: c.Form, URL: c.URL, Sampling: c.Sampling, SamplingTools: c.Tools, Roots: c.Roots}
}

func (c clientJSON) request() mcp.ID { return idOf(c.Request) }
func (c clientJSON) token() mcp.ID   { return idOf(c.Token) }

func idOf(data json.RawMessage) mcp.ID {
	v, _ := mcp.Parse(data) // a damaged row has no id
	id, _ := mcp.ParseID(v)
	return id
}

const columns = `id, turn, method, name, input, digest, claims, client, kind, state, round, lost, created, updated, expires, message, asked, result, told, ticket`

// find returns a stored call.
func find(tx *durable.Tx, id string) (row, bool) {
	for _, r := range list(tx, `id = ?`, id) {
		return r, true
	}
	return row{}, false
}

func list(tx *durable.Tx, where string, args ...any) (all []row) {
	for _, r := range tx.SQL(`SELECT `+columns+` FROM mcp_call WHERE `+where+` ORDER BY seq`, args...) {
		c := row{
			id: r.Text(0), turn: r.Int(1), method: r.Text(2), name: r.Text(3), input: json.RawMessage(r.Text(4)), digest: r.Text(5), claims: r.Text(6),
			kind: kind(r.Text(8)), state: state(r.Text(9)), round: r.Int(10), lost: r.Int(11),
			created: r.Int(12), updated: r.Int(13), expires: r.Int(14), message: r.Text(15), result: json.RawMessage(r.Text(17)), acknowledged: r.Bool(18), ticket: r.Text(19),
		}
		if json.Unmarshal([]byte(r.Text(7)), &c.client) != nil || json.Unmarshal([]byte(r.Text(16)), &c.asked) != nil {
			c.asked = nil // a damaged row reads as nothing
		}
		all = append(all, c)
	}
	return all
}

// put stores a call.
func (c row) put(tx *durable.Tx) {
	asked := ""
	if c.asked != nil {
		asked = string(limit.MustMarshal(c.asked))
	}
	tx.SQL(`INSERT INTO mcp_call (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, state = excluded.state, round = excluded.round, lost = excluded.lost,
		updated = excluded.updated, expires = excluded.expires, message = excluded.message, asked = excluded.asked, result = excluded.result, told = excluded.told, ticket = excluded.ticket`,
		c.id, c.turn, c.method, c.name, string(c.input), c.digest, c.claims, string(limit.MustMarshal(c.client)), string(c.kind), string(c.state),
		c.round, c.lost, c.created, c.updated, c.expires, c.message, asked, string(c.result), c.acknowledged, c.ticket)
}

// remove deletes a stored call.
func remove(tx *durable.Tx, id string) {
	tx.SQL(`DELETE FROM mcp_call WHERE id = ?`, id)
	tx.Unschedule(dueExpiry, id)
}
