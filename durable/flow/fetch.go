package flow

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// Request is an HTTP request.
type Request struct {
	// Method is the method, "" for GET.
	Method string
	URL    string
	// Header may name secrets, whose values the code never sees.
	Header []durable.Header
	// Body has at most [MaxBody] bytes. It is not journaled: the code makes it again.
	Body []byte
	// Limit is the size of the response's body, in bytes; 0 is [UsualBody], and
	// [MaxBody] the most. A larger response is an error.
	Limit int
	// Repeatable says that the request may be made twice, as where the server knows it
	// by a key. GET, HEAD, OPTIONS, PUT and DELETE may anyway.
	Repeatable bool
}

// Sizes of bodies, in bytes.
const (
	UsualBody = 256 << 10
	MaxBody   = 1 << 20
)

// Response is the answer to a [Request], whole. Whatever its status, it is no error;
// nor is a redirect, which is not followed, so that secrets go where they are meant to.
type Response struct {
	Status int `json:"status"`
	// Header has names in lower case.
	Header map[string]string `json:"header"`
	Body   []byte            `json:"body"`
}

// FetchError says why there is no [Response].
type FetchError struct {
	// Method and URL are the request's.
	Method string `json:"-"`
	URL    string `json:"-"`
	// Status is the status of the response where its head has come.
	Status int `json:"status,omitempty"`
	// Unsent says that nothing can have happened: the request has not left. Otherwise
	// it may or may not have reached the server.
	Unsent  bool   `json:"unsent,omitempty"`
	Message string `json:"-"`

	cause error
}

func (e *FetchError) Error() string {
	fate := "it may or may not have happened"
	switch {
	case e.Unsent:
		fate = "nothing has happened"
	case e.Status > 0:
		fate = fmt.Sprintf("its status was %d", e.Status)
	}
	return fmt.Sprintf("%s %s: %s; %s", e.Method, e.URL, e.Message, fate)
}

// Unwrap gives the [ErrTimeout] or [ErrCancelled] that it is.
func (e *FetchError) Unwrap() error { return e.cause }

// Fetch makes a request and returns the whole response, which is journaled. Its error
// is a [*FetchError]. When the instance dies meanwhile, the request is made again if it
// may be; otherwise that it may or may not have happened is its end. There is no limit
// of time but that of [Within].
func Fetch(c Awaiter, request Request) (Response, error) {
	r := c.context().routine
	request.Method = strings.ToUpper(request.Method)
	if request.Method == "" {
		request.Method = "GET"
	}
	f := &fetching{request: request, response: Response{Header: map[string]string{}}}
	data, err := c.context().Await(Op{
		Name:  "fetch " + request.Method + " " + place(request.URL),
		Begin: func(tx *durable.Tx, key Key) { r.fetch(tx, key, f) },
		Again: func(tx *durable.Tx, key Key) {
			if f.request.mayRepeat() {
				r.fetch(tx, key, f)
				return
			}
			f.end(tx, key, FetchError{}, "its instance was lost")
		},
		Cancel: func(tx *durable.Tx, key Key, _ Reason) {
			delete(r.fetches, key.Position)
			tx.Do(durable.CancelFetch{Fetch: fetchName(key)})
		},
	}).Wait()
	if err != nil {
		return Response{}, f.errorOf(data, err)
	}
	var response Response
	if err := json.Unmarshal(data, &response); err != nil {
		return Response{}, f.errorOf(nil, err)
	}
	return response, nil
}

// place is where a URL leads, without what may be private.
func place(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "a URL that cannot be read"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// mayRepeat says whether the request can be made twice: idempotent methods can.
func (r Request) mayRepeat() bool {
	return r.Repeatable || slices.Contains([]string{"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}, r.Method)
}

// errorOf makes the error of a fetch from what was journaled of it.
func (f *fetching) errorOf(data []byte, err error) error {
	e := &FetchError{Method: f.request.Method, URL: place(f.request.URL), Message: err.Error()}
	if json.Unmarshal(data, e) != nil {
		e.Status, e.Unsent = 0, false
	}
	var awaited *Error
	if errors.As(err, &awaited) {
		e.cause = awaited.Reason.sentinel()
		e.Unsent = e.Unsent || awaited.Reason == late
	}
	return e
}
