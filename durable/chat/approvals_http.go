package chat

import (
	"encoding/json"
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about answers to questions that come in an HTTP request:
//
//	POST /agents/{agent}/{name}/approvals/{id} with {"approved":true} or {"approved":false,"reason":"…"}
//
// The answer is 200 if the answer was taken, 409 if another one was taken before, and says who gave
// it and when; 403 if the sender lacks a scope; 404 if there is no such question; 400 if the body
// cannot be read.

// respondApproval answers such a request.
func (o *Object) respondApproval(tx *durable.Tx, e durable.RequestReceived, segments []string) {
	body, err := readVerdict(e.Body)
	if err != nil {
		respondJSON(tx, e.Request, 400, failureJSON{err.Error(), nil})
		return
	}
	out := o.decide(tx, author.Verdict{
		Call: segments[2], Approved: *body.Approved, Reason: body.Reason, Continues: true,
		Claims: o.granted(e.Claims, agent.TurnInfo{Request: e.Request}),
	})
	answered, err := author.Bind.Answered(out)
	switch {
	case out.Unknown:
		respondJSON(tx, e.Request, 404, failureJSON{err.Error(), nil})
	case out.Refused != nil:
		respondJSON(tx, e.Request, 400, failureJSON{err.Error(), nil})
	case err != nil:
		respondJSON(tx, e.Request, 403, failureJSON{err.Error(), out.Missing})
	case out.Over:
		respondJSON(tx, e.Request, 409, answered)
	default:
		respondJSON(tx, e.Request, 200, answered)
	}
}

// failureJSON is the body of a refusal.
type failureJSON struct {
	Error   string   `json:"error"`
	Missing []string `json:"missing,omitempty"`
}

type verdictJSON struct {
	Approved *bool  `json:"approved"`
	Reason   string `json:"reason"`
}

func readVerdict(body []byte) (v verdictJSON, err error) {
	if len(body) > limit.Notice || json.Unmarshal(body, &v) != nil {
		return v, errors.New(`the body is not {"approved":true|false,"reason":"…"}`)
	}
	if v.Approved == nil {
		return v, errors.New("the body does not say whether the call is approved")
	}
	return v, nil
}

func respondJSON(tx *durable.Tx, request string, status int, v any) {
	header := map[string]string{"content-type": "application/json", "cache-control": "no-store"}
	tx.Do(durable.Respond{Request: request, Status: status, Header: header, Body: limit.MustMarshal(v)})
}
