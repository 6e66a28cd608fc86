package servers

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/reply"
)

// Request is a request to a server.
type Request struct {
	reply.To
	Server, Method string
	// Tool and Text are what is called, State what the server has given its client before, and Task the
	// task that is meant.
	Tool, Text, State, Task string
	// Token is the header authorization, Session and Version those of the protocol.
	Token, Session, Version string
	// Event is the event of a stream behind which the request asks for the rest, or "".
	Event string
	// Body is the whole request.
	Body string
	// Said is the text of the result that it is answered with, if there is one.
	Said string

	id        json.RawMessage
	responses map[string]struct{ Action string }
	// action is what the answer to a question says.
	action string
}

// Key names what is asked for: two requests with one key want the same.
func (q Request) Key() string {
	return strings.Join([]string{q.Server, q.Method, q.Tool, q.Text, q.State, q.Task}, " ")
}

// read reads a request.
func read(slot, server string, f durable.Fetch) (Request, error) {
	q := Request{To: reply.To{Slot: slot, Fetch: f.Fetch}, Server: server, Body: string(f.Body)}
	var body struct {
		ID     json.RawMessage
		Method string
		Result struct{ Action string }
		Params struct {
			Name           string
			Arguments      struct{ Text string }
			RequestState   string
			TaskID         string
			InputResponses map[string]struct{ Action string }
		}
	}
	if f.Method == "GET" {
		body.Method = listening
	} else if err := json.Unmarshal(f.Body, &body); err != nil {
		return q, err
	}
	q.id, q.Method, q.Tool, q.Text = body.ID, body.Method, body.Params.Name, body.Params.Arguments.Text
	q.State, q.Task, q.responses = body.Params.RequestState, body.Params.TaskID, body.Params.InputResponses
	if q.action = body.Result.Action; q.action == "" {
		q.action = "refused"
	}
	for _, h := range f.Header {
		switch strings.ToLower(h.Name) {
		case "last-event-id":
			q.Event = h.Value
		case "authorization":
			q.Token = h.Value
		case "mcp-session-id":
			q.Session = h.Value
		case "mcp-protocol-version":
			q.Version = h.Value
		}
	}
	return q, nil
}

// listening is the method of a request for a stream: for the rest of one, or for one on which a legacy server asks
// what belongs to no call. These servers have none of those.
const listening = "GET"

// isCall says whether the request calls a tool.
func (q Request) isCall() bool { return q.Method == "tools/call" }

// isLegacy says whether the server is of an older version.
func (q Request) isLegacy() bool { return q.Server == contract.Archive }

// streams says whether the request is answered with a stream that can go on.
func (q Request) streams() bool {
	return q.isLegacy() && q.isCall() && (q.Tool == contract.Reserve || q.Tool == contract.Slow)
}
