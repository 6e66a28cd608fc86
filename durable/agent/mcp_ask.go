package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file puts the questions of servers to people. The questions, and the state that goes back to the
// server, are in the journal: in the answer that brought them.

// maxMessage bounds the text of a server's question, in bytes.
const maxMessage = 4 << 10

// ask puts all questions of a server to people, side by side, and waits for the answers.
func (k *remoteCall) ask(requests []mcp.InputRequest) (mcp.InputResponses, error) {
	if k.rounds++; k.rounds > maxRounds {
		return nil, k.failed(fmt.Sprintf("it has asked %d times and not answered", maxRounds))
	}
	if len(requests) > 0 && k.inErrand() {
		return nil, flow.Permanent(errErrandAsks)
	}
	var waits []*flow.Pending
	for _, r := range requests {
		elicit, ok := r.Ask.(mcp.Elicit)
		if !ok {
			return nil, k.failed("it asks for what it was not offered: " + r.Ask.Method())
		}
		q, err := k.question(elicit)
		if err != nil {
			return nil, k.wrap(err)
		}
		waits = append(waits, k.Await(flow.Op{
			Name: "question of " + k.server, Person: true,
			Begin:  func(tx *durable.Tx, key flow.Key) { k.object.Ask(tx, key, q) },
			Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { k.object.Withdraw(tx, key) },
		}))
	}
	responses := mcp.InputResponses{}
	for i, r := range requests {
		answer, err := k.answer(waits[i], r.Ask.(mcp.Elicit))
		if err != nil {
			return nil, err
		}
		responses = append(responses, mcp.Respond(r.Key, answer))
	}
	return responses, nil
}

// answer waits for the answer to a question. A question that nobody has answered in time is cancelled.
func (k *remoteCall) answer(wait *flow.Pending, e mcp.Elicit) (mcp.ElicitResult, error) {
	var a question.Answer
	data, err := wait.Wait()
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	switch {
	case err != nil:
		return mcp.ElicitResult{}, k.wrap(err)
	case a.Expired:
		return mcp.ElicitResult{Action: mcp.Cancel}, nil
	case a.Denied:
		return mcp.ElicitResult{Action: mcp.Decline}, nil
	case e.URL != "":
		return mcp.ElicitResult{Action: mcp.Accept}, nil
	case !isForm(e):
		content, _ := mcp.Parse([]byte(`{}`))
		return mcp.ElicitResult{Action: mcp.Accept, Content: content}, nil
	}
	content, err := mcp.Parse(a.Value)
	if err != nil {
		return mcp.ElicitResult{}, k.wrap(err)
	}
	return mcp.ElicitResult{Action: mcp.Accept, Content: content}, nil
}

// isForm says whether there is something to fill in.
func isForm(e mcp.Elicit) bool { return len(e.Schema.Get("properties").Names()) > 0 }

// yesNo is the schema of a question that is answered by yes or no.
const yesNo = `{"type":"boolean"}`

// question returns a question of a server in the form in which a person is shown it. It names the server.
func (k *remoteCall) question(e mcp.Elicit) (author.Question, error) {
	q := author.Question{Call: k.code.Call.ID, Expires: DefaultExpiry.Milliseconds(), Schema: json.RawMessage(yesNo)}
	shown := struct {
		Title   string          `json:"title"`
		Text    string          `json:"text"`
		Server  string          `json:"server"`
		URL     string          `json:"url,omitempty"`
		Schema  json.RawMessage `json:"schema"`
		Default json.RawMessage `json:"default,omitempty"`
	}{Title: "The server " + k.name + " asks", Text: cmp.Or(mcp.Quote(e.Message, maxMessage), "It wants to go on."), Server: k.name}
	switch {
	case e.URL != "":
		if err := mcp.CheckURL(e.URL, k.object.Vars()["TRIBUTARY_ENV"] == "development"); err != nil {
			return q, fmt.Errorf("it wants a person to visit a link: %w", err)
		}
		link, _ := url.Parse(e.URL)
		shown.URL = e.URL
		shown.Title += " you to visit " + link.Host
		shown.Text += "\nHave you done it?"
	case isForm(e):
		if err := mcp.CheckSchema(e.Schema); err != nil {
			return q, err
		}
		q.Form, q.Schema = true, json.RawMessage(e.Schema.JSON())
		if d := e.Defaults(); len(d.Names()) > 0 {
			shown.Default = json.RawMessage(d.JSON())
		}
	}
	shown.Schema = q.Schema
	var err error
	q.Input, err = limit.MarshalWithin(shown, limit.Question)
	return q, err
}
