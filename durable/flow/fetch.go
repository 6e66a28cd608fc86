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
	// Header may name secrets. The code never sees their values.
	Header []durable.Header
	// Body has at most [MaxBody] bytes. It is not journaled: the code makes it again.
	Body []byte
	// Limit is the maximum size of the response's body, in bytes. 0 means [UsualBody], and
	// [MaxBody] is the largest value. A larger response is an error.
	Limit int
	// Repeatable says that the request may be made twice, for example because the server recognises
	// it by a key. GET, HEAD, OPTIONS, PUT and DELETE may always be repeated.
	Repeatable bool

	// Read, if it is not nil, returns what reads the response's body as it comes. head has no body. What
	// that reader returns is journaled as the body, so Limit does not apply.
	Read func(head Response) BodyReader

	// binding says that the URL is one of [durable.BindingURL].
	binding bool
}

// Sizes of bodies, in bytes.
const (
	// UsualBody is the default of [Request.Limit].
	UsualBody = 256 << 10
	// MaxBody is the maximum size of a request's body, and of a response's.
	MaxBody = 1 << 20
)

// Response is the complete answer to a [Request]. No status makes it an error. A redirect is not
// followed, so that secrets go only to the server that they are meant for.
type Response struct {
	Status int `json:"status"`
	// Header has names in lower case.
	Header map[string]string `json:"header"`
	Body   []byte            `json:"body"`
	// Repeated says that an instance was lost, and that the request was made again. Whatever the
	// status says, the server may have done before what it was asked.
	Repeated bool `json:"repeated,omitempty"`
}

// BodyReader reads the body of a response as it comes, for a [Request] that has one. It lives in memory
// only. Its errors are those of the request.
type BodyReader interface {
	// Feed takes the next bytes. enough says that the rest of the body is not wanted.
	Feed(tx *durable.Tx, data []byte) (enough bool, err error)
	// End returns the response to journal, when the body has ended or is not wanted any more. It has at
	// most [MaxBody] bytes of body.
	End() (Response, error)
}

// BrokenBodyReader is a [BodyReader] that can use a body which has broken off.
type BrokenBodyReader interface {
	BodyReader
	// Broken returns the response to journal, or says that there is none: the request has failed.
	Broken() (Response, bool)
}

// FetchError says why there is no [Response].
type FetchError struct {
	// Method and URL are the request's.
	Method string `json:"-"`
	URL    string `json:"-"`
	// Status is the response's status, if its head has come.
	Status int `json:"status,omitempty"`
	// Unsent says that the request was not sent, so it has had no effect. Otherwise it may or may
	// not have reached the server.
	Unsent  bool   `json:"unsent,omitempty"`
	Message string `json:"-"`

	cause error
	// tooLarge says that there is a response, and that it is too large.
	tooLarge bool
}

// Error names the request and says what went wrong.
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

// Unwrap returns the [ErrTimeout] or [ErrCancelled] that caused the error, or nil.
func (e *FetchError) Unwrap() error { return e.cause }

// Is says that the error is an [ErrDoubtful] if the request was sent and can have had an effect.
func (e *FetchError) Is(target error) bool {
	return target == ErrDoubtful && !e.Unsent && !slices.Contains(questions, e.Method)
}

// questions are the methods of requests that have no effect.
var questions = []string{"GET", "HEAD", "OPTIONS"}

// FetchOption changes a request before it is made. c is the code that makes the request.
type FetchOption func(c Awaiter, r *Request)

// Fetch makes a request and returns the complete response, which is journaled. Its error is a
// [*FetchError]. If the instance is lost meanwhile, a repeatable request is made again. Any other
// request fails, with an error that says that it may or may not have had its effect. Only [Within]
// limits the time.
func Fetch(c Awaiter, request Request, options ...FetchOption) (Response, error) {
	return StartFetch(c, request, options...).Wait()
}

// PendingFetch is a request that [StartFetch] has made. [Next] can wait for it.
type PendingFetch struct {
	pending *Pending
	f       *fetching
}

// StartFetch is [Fetch], but does not wait for the response.
func StartFetch(c Awaiter, request Request, options ...FetchOption) *PendingFetch {
	r := c.context().routine
	for _, option := range options {
		option(c, &request)
	}
	request.Method = strings.ToUpper(request.Method)
	if request.Method == "" {
		request.Method = "GET"
	}
	f := &fetching{request: request, response: Response{Header: map[string]string{}}}
	return &PendingFetch{f: f, pending: c.context().Await(Op{
		Name:  "fetch " + request.Method + " " + place(request.URL),
		Begin: func(tx *durable.Tx, key Key) { r.fetch(tx, key, f) },
		Again: func(tx *durable.Tx, key Key) {
			switch {
			case r.overSince(r.journal.entries[key.Position].limits) > 0: // a time limit cancels it now
				return
			case f.request.mayRepeat():
				f.response.Repeated = true
				r.fetch(tx, key, f)
				return
			}
			f.lose(tx, key)
		},
		Cancel: func(tx *durable.Tx, key Key, _ Reason) {
			delete(r.fetches, key.Position)
			tx.Do(durable.CancelFetch{Fetch: fetchName(key)})
		},
	})}
}

// Wait returns the response as [Fetch] does.
func (p *PendingFetch) Wait() (Response, error) {
	data, err := p.pending.Wait()
	if err != nil {
		return Response{}, p.f.errorOf(data, err)
	}
	var response Response
	if err := json.Unmarshal(data, &response); err != nil {
		return Response{}, p.f.errorOf(nil, err)
	}
	return response, nil
}

// Cancel leaves the request. It does nothing if the response has come.
func (p *PendingFetch) Cancel() { p.pending.cancel() }

func (p *PendingFetch) awaited() *Pending { return p.pending }

// place returns a URL without the parts that may be private.
func place(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "a URL that cannot be read"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// mayRepeat says whether the request can be made twice. Idempotent methods can.
func (r Request) mayRepeat() bool {
	return r.Repeatable || slices.Contains([]string{"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}, r.Method)
}

// errorOf builds the error of a fetch from its journaled result.
func (f *fetching) errorOf(data []byte, err error) error {
	e := &FetchError{Method: f.request.Method, URL: place(f.request.URL), Message: err.Error()}
	if json.Unmarshal(data, e) != nil {
		e.Status, e.Unsent = 0, false
	}
	var awaited *Error
	if errors.As(err, &awaited) {
		e.cause = awaited.Reason.sentinel()
		e.Unsent = e.Unsent || awaited.Reason == neverStarted
	}
	return e
}
