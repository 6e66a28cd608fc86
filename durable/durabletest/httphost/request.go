package httphost

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// answer is the answer to a request.
type answer struct {
	w    http.ResponseWriter
	done chan struct{}
}

// maxBody is how much of a request is read, in bytes.
const maxBody = 2 << 20

// ServeHTTP gives a request to the object, and waits until it is answered. A request that is lost with the
// object's memory is answered with 503, unless its answer was begun.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return
	}
	h.mu.Lock()
	h.requests++
	name, a := fmt.Sprint("request-", h.requests), &answer{w: w, done: make(chan struct{})}
	h.waiting[name] = a
	h.happen(durable.RequestReceived{Request: name, Method: r.Method, URL: r.URL.RequestURI(), Header: headerOf(r), Body: body})
	h.mu.Unlock()
	select {
	case <-a.done:
	case <-r.Context().Done():
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.waiting[name] == a {
			delete(h.waiting, name)
			h.happen(durable.StreamCancelled{Stream: name})
		}
	}
}

// headerOf returns the headers of a request as the front door lets them through: never the token.
func headerOf(r *http.Request) map[string]string {
	header := map[string]string{"host": r.Host}
	for name, values := range r.Header {
		if name = strings.ToLower(name); name != "authorization" && name != "cookie" {
			header[name] = values[0]
		}
	}
	return header
}

// respond sends a part of an answer: its head if there is a status, and its body.
func (h *Host) respond(request string, status int, header map[string]string, body []byte) {
	a := h.waiting[request]
	if a == nil {
		return
	}
	for name, value := range header {
		a.w.Header().Set(name, value)
	}
	if status > 0 {
		a.w.WriteHeader(status)
	}
	_, _ = a.w.Write(body) // a client that is gone is noticed by its request
	_ = http.NewResponseController(a.w).Flush()
}

func (h *Host) end(request string) {
	if a := h.waiting[request]; a != nil {
		close(a.done)
		delete(h.waiting, request)
	}
}
