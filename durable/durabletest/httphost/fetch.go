package httphost

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// fetch makes a request of the object. Its events happen as they come.
func (h *Host) fetch(f durable.Fetch) {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, f.Method, f.URL, bytes.NewReader(f.Body))
	if err != nil {
		cancel()
		go h.fetched(ctx, f.Fetch, durable.FetchFailed{Fetch: f.Fetch, Error: err.Error(), Unsent: true})
		return
	}
	for _, header := range f.Header {
		r.Header.Set(header.Name, header.Value)
	}
	h.fetches[f.Fetch] = cancel
	go h.exchange(ctx, r, f.Fetch)
}

// pieceSize is how much of a body is read at once, in bytes.
const pieceSize = 32 << 10

func (h *Host) exchange(ctx context.Context, r *http.Request, name string) {
	response, err := h.config.Transport.RoundTrip(r) // a redirect is not followed
	if err != nil {
		h.fetched(ctx, name, durable.FetchFailed{Fetch: name, Error: err.Error()})
		return
	}
	defer response.Body.Close()
	header := map[string]string{}
	for key, values := range response.Header {
		header[strings.ToLower(key)] = values[0]
	}
	h.fetched(ctx, name, durable.FetchResponded{Fetch: name, Status: response.StatusCode, Header: header})
	for piece := make([]byte, pieceSize); err == nil; {
		var n int
		if n, err = response.Body.Read(piece); n > 0 {
			h.fetched(ctx, name, durable.FetchChunk{Fetch: name, Data: bytes.Clone(piece[:n])})
		}
	}
	if errors.Is(err, io.EOF) {
		h.fetched(ctx, name, durable.FetchEnded{Fetch: name})
		return
	}
	h.fetched(ctx, name, durable.FetchFailed{Fetch: name, Error: err.Error()})
}

// fetched has an event of a fetch happen, unless the fetch was cancelled.
func (h *Host) fetched(ctx context.Context, name string, e durable.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	switch e.(type) {
	case durable.FetchEnded, durable.FetchFailed:
		if cancel := h.fetches[name]; cancel != nil {
			defer cancel()
			delete(h.fetches, name)
		}
	}
	h.happen(e)
}
