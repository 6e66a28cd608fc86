// Package transport lets code that uses net/http run inside a tool: clients of services, and the
// official SDKs of models. Each request is a [flow.Fetch]. It is journaled like every await, so
// code that is run again does not send it twice. The import makes a module some 2 MB larger,
// because it brings net/http.
//
// Such code must not wait by itself, because nothing happens within an event: it must not sleep
// between retries, or wait for a goroutine. The official SDKs only need their retries switched off,
// see wasm/examples/sdk. [flow.Within] limits the time of a request. The deadline of a context, or
// of a client, is checked before and after a request, and does not end one.
//
// A response is handed over when it is complete, and has at most [flow.MaxBody] bytes. A streamed
// response is read in the same way, after its end.
package transport

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Transport is an [http.RoundTripper] for the code that its Awaiter was given to.
type Transport struct {
	// Awaiter is the context of the tool.
	Awaiter flow.Awaiter
	// Secrets are headers that refer to secrets of the deployment. They replace headers of the same
	// name, so the code can give its client any key. The code never sees the values.
	// [Transport.Client] follows no redirect, so that secrets go only to the server that they are
	// meant for.
	Secrets []durable.Header
	// Limit is the maximum size of a response's body, in bytes. 0 means [flow.MaxBody].
	Limit int
	// Repeatable says that a request may be made again if the instance was lost before the
	// response, whatever its method. An answer of a model then costs twice.
	Repeatable bool
}

// Client returns a client that follows no redirect.
func (t Transport) Client() *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// RoundTrip makes a request and waits for the complete response. Its error is a [*flow.FetchError],
// or that of the request's body or context.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := bodyOf(r)
	if err != nil {
		return nil, err
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	limit := t.Limit
	if limit == 0 {
		limit = flow.MaxBody
	}
	answer, err := flow.Fetch(t.Awaiter, flow.Request{
		Method: r.Method, URL: r.URL.String(), Header: t.header(r), Body: body, Limit: limit, Repeatable: t.Repeatable,
	})
	if err != nil {
		return nil, err
	}
	return response(r, answer), nil
}

// bodyOf reads a request's body and closes it, as a RoundTripper must.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, flow.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("transport: read the request's body: %w", err)
	}
	return body, nil // Fetch refuses a body that is too large
}

// header returns a request's header in a fixed order, with the secrets in place of headers of the
// same name.
func (t Transport) header(r *http.Request) []durable.Header {
	var list []durable.Header
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if t.isSecret(name) {
			continue
		}
		for _, value := range r.Header[name] {
			list = append(list, durable.Header{Name: name, Value: value})
		}
	}
	return append(list, t.Secrets...)
}

func (t Transport) isSecret(name string) bool {
	return slices.ContainsFunc(t.Secrets, func(h durable.Header) bool { return strings.EqualFold(h.Name, name) })
}

// response makes a response from the journaled one. The host has decompressed the body, so the
// headers about compression are left out.
func response(r *http.Request, answer flow.Response) *http.Response {
	header := http.Header{}
	for name, value := range answer.Header {
		header.Set(name, value)
	}
	header.Del("Content-Encoding")
	header.Del("Content-Length")
	return &http.Response{
		Status: fmt.Sprintf("%d %s", answer.Status, http.StatusText(answer.Status)), StatusCode: answer.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(answer.Body)), ContentLength: int64(len(answer.Body)), Request: r,
	}
}
