package mcpcall

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file puts the questions of servers to people. The questions, and the state that goes back to the
// server, are in the journal: in the answer that brought them.

// maxMessage bounds the text of a server's question, in bytes. One that is cut off says so. What the model is to be asked is
// shown whole, or not asked.
const maxMessage = 4 << 10

// maxVisits is how many URLs a person is asked to visit at once.
const maxVisits = 16

// ask puts all questions of a server to people, side by side, and waits for the answers.
func (k *Call) ask(requests []mcp.InputRequest) (mcp.InputResponses, error) {
	if k.rounds++; k.rounds > maxRounds {
		return nil, k.failed(fmt.Sprintf("it has asked %d times and not answered", maxRounds))
	}
	var waits []*flow.Pending
	for _, r := range requests {
		if err := k.offers(r.Ask); err != nil {
			return nil, err
		}
		q, err := k.question(r.Ask)
		if err != nil {
			return nil, k.wrap(err)
		}
		waits = append(waits, k.put(q))
	}
	responses := mcp.InputResponses{}
	for i, r := range requests {
		answer, err := k.answer(waits[i], r.Ask)
		if err != nil {
			return nil, err
		}
		responses = append(responses, mcp.Respond(r.Key, answer))
	}
	return responses, nil
}

// visitsFirst stands for the refusal of a legacy server that wants a person to visit URLs before the same
// call is made again.
type visitsFirst struct{ mcp.InputRequired }

func visitsFirstOf(e *mcp.Error) (v visitsFirst) {
	visits := e.Visits()
	for i, visit := range visits[:min(len(visits), maxVisits)] {
		v.Requests = append(v.Requests, mcp.InputRequest{Key: strconv.Itoa(i), Ask: visit})
	}
	return v
}

// visit asks a person to visit URLs, and fails if one was not visited.
func (k *Call) visit(requests []mcp.InputRequest) error {
	responses, err := k.ask(requests)
	if err != nil {
		return err
	}
	for _, r := range responses {
		if r.Value.Get("action").Text() != mcp.Accept {
			return unnoted{k.failed("it wants a person to visit a link first, and nobody has")}
		}
	}
	return nil
}

// offers says why a server may not ask something.
func (k *Call) offers(ask mcp.Ask) error {
	if ask.Method() != mcp.MethodRoots && k.InJob() {
		return flow.Permanent(author.ErrJobAsks)
	}
	if !k.servers.offers(ask) {
		return k.failed("it asks for what it was not offered: " + ask.Method())
	}
	return nil
}

// offers says whether servers are told that they may ask something.
func (s *Servers) offers(ask mcp.Ask) bool {
	_, lacks := s.Caller("").Capabilities.Missing(ask.Needs())
	return !lacks
}

// put puts a question to a person. Nothing is asked where the question is zero.
func (k *Call) put(q author.Question) *flow.Pending {
	if q.Schema == nil {
		return nil
	}
	asked, server, send := k.asked, k.server, k.servers.sendToRoot
	return k.Await(flow.Op{
		Name: "question of " + k.server, Person: true,
		Begin: func(tx *durable.Tx, key flow.Key) { k.Object.Ask(tx, key, q) },
		Cancel: func(tx *durable.Tx, key flow.Key, why flow.Reason) {
			k.Object.Withdraw(tx, key)
			if asked > 0 && why != flow.TimedOut { // then the server is answered
				send(tx, mcpclient.NotifyRoot(tx, mcpclient.Request{Server: server, Drop: asked}))
			}
		},
	})
}

// answer waits for the answer to a question.
func (k *Call) answer(wait *flow.Pending, ask mcp.Ask) (mcp.Answer, error) {
	switch a := ask.(type) {
	case mcp.Elicit:
		return k.elicited(wait, a)
	case mcp.Sample:
		return k.sampled(wait, a)
	}
	return mcp.RootList{}, nil
}

// said waits for what a person says.
func said(wait *flow.Pending) (a question.Answer, err error) {
	data, err := wait.Wait()
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	return a, err
}

// elicited waits for the answer to a form or a link. One that nobody has answered in time is cancelled.
func (k *Call) elicited(wait *flow.Pending, e mcp.Elicit) (mcp.ElicitResult, error) {
	a, err := said(wait)
	switch {
	case err != nil:
		return mcp.ElicitResult{}, unnoted{k.wrap(err)}
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

// shownQuestion is what a person is shown. It names the server.
type shownQuestion struct {
	Title   string          `json:"title"`
	Text    string          `json:"text"`
	Server  string          `json:"server"`
	URL     string          `json:"url,omitempty"`
	Schema  json.RawMessage `json:"schema"`
	Default json.RawMessage `json:"default,omitempty"`
}

// question returns a question of a server in the form in which a person is shown it. It is zero for what
// no person has to be asked.
func (k *Call) question(ask mcp.Ask) (q author.Question, err error) {
	shown := shownQuestion{Title: "The server " + k.name + " asks", Server: k.name, Schema: json.RawMessage(yesNo)}
	switch a := ask.(type) {
	case mcp.Elicit:
		err = k.showElicit(&shown, a)
		q.Form = a.URL == "" && isForm(a)
	case mcp.Sample:
		shown.Title += " the model of this agent"
		shown.Text = promptOf(a)
	default:
		return q, nil
	}
	if err != nil {
		return q, err
	}
	q.Call, q.Expires, q.Schema = k.Code.Call.ID, author.DefaultExpiry.Milliseconds(), shown.Schema
	if q.Input, err = limit.MarshalWithin(shown, limit.Question); err != nil {
		err = fmt.Errorf("it asks for more than a person can be shown: %w", err)
	}
	return q, err
}

// showElicit shows a form or a link.
func (k *Call) showElicit(shown *shownQuestion, e mcp.Elicit) error {
	shown.Text = cmp.Or(protocol.CutOff(mcp.Quote(e.Message, len(e.Message)), maxMessage), "It wants to go on.")
	switch {
	case e.URL != "":
		if err := mcp.CheckURL(e.URL, k.Object.Vars()["TRIBUTARY_ENV"] == "development"); err != nil {
			return fmt.Errorf("it wants a person to visit a link: %w", err)
		}
		link, _ := url.Parse(e.URL)
		shown.URL = e.URL
		shown.Title += " you to visit " + link.Host
		shown.Text += "\nHave you done it?"
	case isForm(e):
		if err := mcp.CheckSchema(e.Schema); err != nil {
			return err
		}
		shown.Schema = json.RawMessage(e.Schema.JSON())
		if d := e.Defaults(); len(d.Names()) > 0 {
			shown.Default = json.RawMessage(d.JSON())
		}
	}
	return nil
}
