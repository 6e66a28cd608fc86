package worker

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
)

// Seal moves the status and text of a handler's answer into headers, and leaves its body empty. A
// body would be a stream, which Go feeds after the call has returned, perhaps during another
// request. Headers are complete when the call returns. So Seal is for short texts only.
func Seal(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &responseRecorder{header: w.Header()}
		h.ServeHTTP(kept, r)
		if order := w.Header().Get(HeaderClose); order != "" {
			w.Header().Set(HeaderClose, url.PathEscape(order))
		}
		w.Header().Set(HeaderStatus, strconv.Itoa(kept.code()))
		w.Header().Set(HeaderBody, url.PathEscape(kept.body.String()))
		w.WriteHeader(http.StatusNoContent)
	})
}

// responseRecorder is a ResponseWriter that records what is written.
type responseRecorder struct {
	header http.Header
	status int // 0 until it is written
	body   bytes.Buffer
}

func (k *responseRecorder) Header() http.Header { return k.header }

// WriteHeader records the first status that is not informational.
func (k *responseRecorder) WriteHeader(status int) {
	if k.status == 0 && status >= http.StatusOK {
		k.status = status
	}
}

// Write records a part of the body. Some statuses have none.
func (k *responseRecorder) Write(p []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	switch k.status {
	case http.StatusNoContent, http.StatusResetContent, http.StatusNotModified:
		return 0, http.ErrBodyNotAllowed
	}
	return k.body.Write(p)
}

// code returns the status of the answer.
func (k *responseRecorder) code() int {
	if k.status == 0 {
		return http.StatusOK
	}
	return k.status
}
