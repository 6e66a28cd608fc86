package model

import (
	"net/http"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// refuse is an answer that says nothing but why there is none.
func (a *Answer) refuse(d dice.Dice, status int) {
	header, body := map[string]string(nil), `{"error":{"message":"no `+d.Word()+`"}}`
	if a.oddErrors {
		shape := errorShapes[d.Under(len(errorShapes))]
		header, body = map[string]string{"content-type": shape.media}, shape.before+"no "+d.Word()+shape.behind
		if shape.inAnswer {
			status = http.StatusOK
		}
	}
	a.head(status, header)
	a.data(body)
	a.Pieces = append(a.Pieces, durable.FetchEnded{})
}

// errorShapes are the shapes in which providers, and what stands before them, tell a failure: the texts before the reason
// and behind it. inAnswer says that the status is that of an answer.
var errorShapes = []struct {
	media, before, behind string
	inAnswer              bool
}{
	{"text/event-stream", "event: error\ndata: {\"message\":\"", "\"}\n\n", true},
	{"text/event-stream", "data: {\"error\":\"", "\"}\n\ndata: [DONE]\n\n", true},
	{"text/event-stream", "data: {\"object\":\"error\",\"message\":\"", "\",\"code\":500}\n\n", true},
	{"text/event-stream", "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"error\",\"error\":{\"message\":\"", "\"}}]}\n\n", true},
	{"application/json", "[{\"error\":{\"code\":500,\"message\":\"", "\",\"status\":\"INTERNAL\"}}]", true},
	{"application/json", "{\"detail\":\"", "\"}", false},
	{"application/json", "{\"errors\":[{\"message\":\"", "\"}],\"success\":false}", false},
	{"text/html", "<html><title>", "</title><body><h1>Bad gateway</h1></body></html>", false},
	{"text/plain", "", "", false},
}
