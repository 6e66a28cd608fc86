package endpoint

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// row is a call as it is stored.
type row struct {
	id   string
	turn int64
	// method and name say what is called: a tool or a prompt. input is the arguments, and digest that of
	// all three.
	method, name string
	input          json.RawMessage
	digest, claims string
	// client is what its client can be asked.
	client clientJSON
	kind   kind
	state  state
	// round is how often the client was asked, and lost how often an event of the object has trapped
	// since the call began.
	round, lost int64
	// The times are in milliseconds since 1970. expires is 0 for a call that ends with its request.
	created, updated, expires int64
	// message says what the call is doing. asked are the questions to its client, in their order.
	message string
	asked   []question
	// result is that of a task that has ended.
	result json.RawMessage
}

// kind is how a call is answered.
type kind string

const (
	// ofRequest is the answer to the request that waits. The call ends when its client leaves.
	ofRequest kind = "request"
	// ofTask is a task that the client asks for.
	ofTask kind = "task"
)

// state is what has become of a call.
type state string

const (
	working   state = "working"
	asking    state = "asking"
	completed state = "completed"
	failed    state = "failed"
	cancelled state = "cancelled"
)

func (s state) final() bool { return s == completed || s == failed || s == cancelled }

// clientJSON is what a client can be asked, as it is stored.
type clientJSON struct {
	Form     bool `json:"form,omitempty"`
	Sampling bool `json:"sampling,omitempty"`
	Roots    bool `json:"roots,omitempty"`
}

const columns = `id, turn, method, name, input, digest, claims, client, kind, state, round, lost, created, updated, expires, message, asked, result`

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
			created: r.Int(12), updated: r.Int(13), expires: r.Int(14), message: r.Text(15), result: json.RawMessage(r.Text(17)),
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
	tx.SQL(`INSERT INTO mcp_call (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, state = excluded.state, round = excluded.round, lost = excluded.lost,
		updated = excluded.updated, expires = excluded.expires, message = excluded.message, asked = excluded.asked, result = excluded.result`,
		c.id, c.turn, c.method, c.name, string(c.input), c.digest, c.claims, string(limit.MustMarshal(c.client)), string(c.kind), string(c.state),
		c.round, c.lost, c.created, c.updated, c.expires, c.message, asked, string(c.result))
}

// remove deletes a stored call.
func remove(tx *durable.Tx, id string) {
	tx.SQL(`DELETE FROM mcp_call WHERE id = ?`, id)
	tx.Unschedule(dueExpiry, id)
}

// count returns the number of stored calls.
func count(tx *durable.Tx) int64 { return tx.Number(`SELECT COUNT(*) FROM mcp_call`) }
