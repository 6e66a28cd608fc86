package dev

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// status is what the page is told of the build, as JSON.
type status struct {
	State state `json:"state"`
	// Error is what the compiler or a check says, at most errorLimit bytes.
	Error string `json:"error"`
}

type state string

const (
	building state = "building"
	built    state = "ok"
	failed   state = "failed"
)

// errorLimit is the size of the longest error that is told. The first errors of a compiler are the
// ones to mend.
const errorLimit = 64 << 10

// outcome returns the status after a build.
func outcome(err error) status {
	if err == nil {
		return status{State: built}
	}
	text := err.Error()
	if len(text) > errorLimit {
		text = strings.ToValidUTF8(text[:errorLimit], "")
	}
	return status{State: failed, Error: text}
}

// stream is the event stream (text/event-stream) that tells pages of the build. A reader gets the
// current status first, and then each new one. A reader that is slow gets the newest alone.
type stream struct {
	// hosts are the hosts, without their ports, of the pages that may read.
	hosts []string

	mu   sync.Mutex
	now  status
	next chan struct{} // closed by the next status
}

func newStream(hosts ...string) *stream {
	return &stream{hosts: hosts, now: status{State: building}, next: make(chan struct{})}
}

// tell makes a status the current one.
func (s *stream) tell(now status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
	close(s.next)
	s.next = make(chan struct{})
}

// current returns the status, and a channel that is closed when there is another.
func (s *stream) current() (status, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.next
}

// ServeHTTP implements [http.Handler]. It answers until the reader is gone. Any website may send
// requests to this address, so pages of other hosts are refused, and so is a host name of theirs
// that leads here.
func (s *stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	w.Header().Set("Vary", "Origin")
	switch {
	case !s.trusts("http://" + r.Host), origin != "" && !s.trusts(origin):
		http.Error(w, "this page may not read the stream", http.StatusForbidden)
		return
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "the stream is read with GET", http.StatusMethodNotAllowed)
		return
	}
	if origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		now, next := s.current()
		data, err := json.Marshal(now)
		if err != nil {
			panic(err) // strings alone
		}
		if _, err := fmt.Fprintf(w, "event: build\ndata: %s\n\n", data); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case <-next:
		case <-r.Context().Done():
			return
		}
	}
}

// trusts reports whether an origin is one of the hosts.
func (s *stream) trusts(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && slices.Contains(s.hosts, u.Hostname())
}

// serve answers on a free port of 127.0.0.1. It returns the address and a function that ends it.
func (s *stream) serve() (address string, stop func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("the stream of build events has no port: %w", err)
	}
	server := &http.Server{Handler: s}
	go server.Serve(listener) // ends with Close
	return "http://" + listener.Addr().String(), server.Close, nil
}
