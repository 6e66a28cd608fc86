// Package transport lets code that speaks net/http work inside a tool: clients of
// services, and the official SDKs of models. Each request is a [flow.Fetch], journaled
// like every await, so that code which is run again does not send it twice. A module is
// larger by net/http, some 2 MB, where something of it imports this package, and by
// nothing where it does not.
//
// What such code must not do is wait by itself, since nothing happens inside of an
// event: no retries that sleep, no goroutine that is waited for. Limits of time are
// those of [flow.Within]; a deadline of a context or a client is looked at before a
// request and behind it, and ends none. The official SDKs need their retries switched
// off, and nothing else; see wasm/examples/sdk. A response is whole before it is handed
// over, and has at most [flow.MaxBody] bytes: a stream can be asked for, and is read when
// all of it is there.
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
	// Secrets are headers that name secrets of the deployment; they take the place of
	// headers of the same name. The code never sees their values, and gives its client any
	// key in their place. Redirects are not followed by [Transport.Client], so that they
	// go where they are meant to.
	Secrets []durable.Header
	// Limit is the size of a response's body, in bytes; 0 is [flow.MaxBody].
	Limit int
	// Repeatable says that a request may be made twice whatever its method, where the
	// instance was lost in the middle: an answer of a model then costs twice.
	Repeatable bool
}

// Client returns a client that follows no redirect.
func (t Transport) Client() *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// RoundTrip makes a request and waits for the whole response. Its error is a
// [*flow.FetchError], or that of the request's body or context.
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

// bodyOf reads a request's body and closes it, as a RoundTripper has to.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, flow.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("transport: read the request's body: %w", err)
	}
	return body, nil // one that is too large is refused by Fetch
}

// header is a request's header in a fixed order, with the secrets in place.
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

// response makes a response of what was journaled. The host has unpacked the body, so
// that what the server says of its packing is left out.
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
