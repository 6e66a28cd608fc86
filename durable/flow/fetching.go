package flow

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

func fetchName(key Key) string { return FetchOf + sleepID(key) }

// IsFetch says whether a fetch with this name belongs to a routine. Its events go to
// [Routine.Fetched].
func IsFetch(name string) bool { return strings.HasPrefix(name, FetchOf) }

// fetching is a response that is being received. It lives in memory only, because a later life
// cannot use a part of a response.
type fetching struct {
	request  Request
	response Response
	// reader reads the body, if the request has one that does.
	reader BodyReader
	// told is called at the end, with the response or with the error and its words, and decides what
	// becomes of the await. If it is nil, the await has ended.
	told func(tx *durable.Tx, response Response, failed *FetchError, words string)
}

// fetch sends a request if it is valid.
func (r *Routine) fetch(tx *durable.Tx, key Key, f *fetching) {
	if err := f.request.check(); err != nil {
		f.end(tx, key, FetchError{Unsent: true}, err.Error())
		return
	}
	r.fetches[key.Position] = f
	tx.Do(durable.Fetch{
		Fetch: fetchName(key), Method: f.request.Method, URL: f.request.URL, Header: f.request.Header, Body: f.request.Body,
	})
}

// Fetching says whether the routine waits for a response. That response never comes if the object's
// memory is lost.
func (r *Routine) Fetching() bool { return len(r.fetches) > 0 }

// Fetched handles an event of a fetch, and says whether it has ended a fetch of the routine. The
// routine continues at [Routine.Resume].
func (r *Routine) Fetched(tx *durable.Tx, name string, event durable.Event) bool {
	key, ok := keyOf(strings.TrimPrefix(name, FetchOf))
	f := r.fetches[key.Position]
	if !ok || key.Routine != r.journal.routine || f == nil {
		return false
	}
	if !f.take(tx, key, event) {
		return false
	}
	delete(r.fetches, key.Position)
	return true
}

// take adds an event to a response, and says whether the fetch has ended.
func (f *fetching) take(tx *durable.Tx, key Key, event durable.Event) (over bool) {
	switch e := event.(type) {
	case durable.FetchResponded:
		f.response.Status, f.response.Header = e.Status, e.Header
		if f.request.Read != nil {
			f.reader = f.request.Read(f.response)
			return false
		}
		if n, err := strconv.ParseInt(e.Header["content-length"], 10, 64); err == nil && n > int64(f.limit()) && f.request.Method != "HEAD" {
			return f.tooLarge(tx, key)
		}
		return false
	case durable.FetchChunk:
		if f.reader != nil {
			return f.feed(tx, key, e.Data)
		}
		if len(f.response.Body)+len(e.Data) > f.limit() {
			return f.tooLarge(tx, key)
		}
		f.response.Body = append(f.response.Body, e.Data...)
		return false
	case durable.FetchFailed:
		if r, ok := f.reader.(BrokenBodyReader); ok {
			if response, ok := r.Broken(); ok {
				f.read(tx, key, response)
				return true
			}
		}
		f.end(tx, key, FetchError{Status: f.response.Status, Unsent: e.Unsent && !f.response.Repeated}, e.Error)
	case durable.FetchEnded:
		if f.reader != nil {
			f.endReading(tx, key)
			return true
		}
		f.respond(tx, key)
	}
	return true
}

// feed gives the reader of the body more of it, and says whether the fetch has ended.
func (f *fetching) feed(tx *durable.Tx, key Key, data []byte) (over bool) {
	enough, err := f.reader.Feed(tx, data)
	switch {
	case err != nil:
		f.end(tx, key, FetchError{Status: f.response.Status}, err.Error())
	case enough:
		f.endReading(tx, key)
	default:
		return false
	}
	tx.Do(durable.CancelFetch{Fetch: fetchName(key)})
	return true
}

// endReading journals what the reader of the body has read.
func (f *fetching) endReading(tx *durable.Tx, key Key) {
	response, err := f.reader.End()
	if err == nil && len(response.Body) > MaxBody {
		err = fmt.Errorf("the response is larger than %d bytes", MaxBody)
	}
	if err != nil {
		f.end(tx, key, FetchError{Status: f.response.Status}, err.Error())
		return
	}
	f.read(tx, key, response)
}

// read journals a response that the reader of the body has made.
func (f *fetching) read(tx *durable.Tx, key Key, response Response) {
	response.Repeated = f.response.Repeated
	f.response = response
	f.respond(tx, key)
}

func (f *fetching) limit() int {
	if f.request.Limit <= 0 {
		return UsualBody
	}
	return min(f.request.Limit, MaxBody)
}

func (f *fetching) tooLarge(tx *durable.Tx, key Key) bool {
	tx.Do(durable.CancelFetch{Fetch: fetchName(key)})
	f.end(tx, key, FetchError{Status: f.response.Status, tooLarge: true}, fmt.Sprintf("the response is larger than %d bytes", f.limit()))
	return true
}

// respond journals a complete response.
func (f *fetching) respond(tx *durable.Tx, key Key) {
	if f.told != nil {
		f.told(tx, f.response, nil, "")
		return
	}
	Complete(tx, key, limit.MustMarshal(f.response), "")
}

// end journals that there is no response.
func (f *fetching) end(tx *durable.Tx, key Key, e FetchError, words string) {
	if words == "" {
		words = "it failed"
	}
	if f.told != nil {
		f.told(tx, Response{}, &e, words)
		return
	}
	Complete(tx, key, limit.MustMarshal(e), words)
}

// lose journals that the instance has died and that the request must not be repeated.
func (f *fetching) lose(tx *durable.Tx, key Key) {
	complete(tx, key, limit.MustMarshal(FetchError{}), lost, "its instance was lost", `position`)
}

// check says why a request cannot be sent.
func (r Request) check() error {
	u, err := url.Parse(r.URL)
	switch {
	case err != nil:
		return fmt.Errorf("its URL cannot be read")
	case r.binding:
		return nil
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("its URL is not one of HTTP")
	case r.Method == "" || strings.ContainsFunc(r.Method, func(c rune) bool { return c < 'A' || c > 'Z' }):
		return fmt.Errorf("%.20q is no method", r.Method)
	case len(r.Body) > MaxBody:
		return fmt.Errorf("its body has %d bytes, at most %d", len(r.Body), MaxBody)
	case len(r.Body) > 0 && slices.Contains([]string{"GET", "HEAD"}, r.Method):
		return fmt.Errorf("%s has no body", r.Method)
	}
	return nil
}
