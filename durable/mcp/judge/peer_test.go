// Package judge_test runs package mcp against the official SDK for Go: its client with the SDK's server,
// and its server with the SDK's client, in both eras, over HTTP.
package judge_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/tributary-agents/tributary/durable/mcp"
)

// peer is a client of package mcp with a network.
type peer struct {
	t        *testing.T
	endpoint mcp.Endpoint
	caller   mcp.Caller
	last     int64
	// notes are the notifications that came.
	notes []mcp.Note
	// ask answers the requests of a legacy server.
	ask func(mcp.Ask) mcp.Answer
}

// send performs a request.
func (p *peer) send(r mcp.Request) *http.Response {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, h := range r.Header {
		request.Header.Set(h.Name, h.Value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	return response
}

// exchange sends a call and returns the answer with the status of HTTP. The answer is the zero Message
// if the body is none of the protocol.
func (p *peer) exchange(call mcp.Call, params []mcp.Param) (mcp.Message, int) {
	p.t.Helper()
	p.last++
	response := p.send(p.endpoint.Call(mcp.NumberID(p.last), p.caller, call, params))
	defer response.Body.Close()
	if id := response.Header.Get(mcp.HeaderSession); mcp.IsSession(id) {
		p.endpoint.Session = id
	}
	reader, err := mcp.NewReader(p.endpoint.Version, mcp.NumberID(p.last), response.Header.Get("Content-Type"))
	if err != nil {
		return mcp.Message{}, response.StatusCode
	}
	return p.read(reader, response.Body), response.StatusCode
}

// read reads a response in small pieces, until the answer has come.
func (p *peer) read(reader *mcp.Reader, body io.Reader) (answer mcp.Message) {
	p.t.Helper()
	for piece := make([]byte, 7); !reader.Answered(); {
		n, err := body.Read(piece)
		messages, feedErr := reader.Feed(piece[:n])
		if feedErr != nil {
			p.t.Fatal(feedErr)
		}
		if err != nil {
			rest, endErr := reader.End()
			if endErr != nil {
				p.t.Fatal(endErr)
			}
			messages = append(messages, rest...)
		}
		for _, m := range messages {
			p.take(m, &answer)
		}
	}
	return answer
}

func (p *peer) take(m mcp.Message, answer *mcp.Message) {
	switch {
	case m.IsResponse():
		*answer = m
	case m.IsNotification():
		if note, ok := mcp.ParseNote(m); ok {
			p.notes = append(p.notes, note)
		}
	case p.ask != nil:
		question, err := mcp.ParseAsk(m.Method, m.Params)
		if err != nil {
			p.t.Fatal(err)
		}
		p.send(p.endpoint.Answer(m.ID, p.ask(question))).Body.Close()
	default:
		p.t.Fatalf("the server asks: %s", m.Method)
	}
}

// call sends a call and returns its result.
func (p *peer) call(call mcp.Call, params []mcp.Param) mcp.Result {
	p.t.Helper()
	m, status := p.exchange(call, params)
	if m.Error != nil || status != 200 {
		p.t.Fatalf("%s: got %d, %v", call.Method(), status, m.Error)
	}
	result, err := mcp.ParseOutcome(call, p.caller.Capabilities, m.Result)
	if err != nil {
		p.t.Fatalf("%s: %v: %s", call.Method(), err, m.Result.JSON())
	}
	return result
}

// fails sends a call and returns its error.
func (p *peer) fails(call mcp.Call, params []mcp.Param) (*mcp.Error, int) {
	p.t.Helper()
	m, status := p.exchange(call, params)
	if m.Error == nil {
		p.t.Fatalf("%s: got %s, want an error", call.Method(), m.Result.JSON())
	}
	return m.Error, status
}

// begin finds out what the server is, and makes a handshake if it wants one.
func (p *peer) begin() mcp.Probe {
	p.t.Helper()
	answer, status := p.exchange(mcp.Discover{}, nil)
	probe, err := mcp.ReadProbe(p.endpoint.Version, false, status, answer)
	if err != nil {
		p.t.Fatal(err)
	}
	p.endpoint.Version = probe.Version
	if probe.Next == mcp.NextHandshake {
		p.handshake(probe.Version)
	}
	return probe
}

func (p *peer) handshake(version string) {
	p.t.Helper()
	p.endpoint.Version = ""
	hello := mcp.Initialize{Version: version, Info: p.caller.Info, Capabilities: p.caller.Capabilities}
	result := p.call(hello, nil).(mcp.Initialized)
	p.endpoint.Version = result.Version
	response := p.send(p.endpoint.Notify(mcp.Ready{}))
	response.Body.Close()
	if response.StatusCode != 202 {
		p.t.Fatalf("the handshake ends with %d", response.StatusCode)
	}
}

func parsed(t *testing.T, text string) mcp.Value {
	t.Helper()
	v, err := mcp.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
