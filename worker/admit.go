package worker

import (
	"maps"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxAnswer is the longest text that Admit may answer, in bytes. It travels in a header.
const maxAnswer = 64 << 10

// The answers in place of Admit's, when it is given what it cannot take or gives what cannot be sent.
var (
	errBody   = &Refusal{Status: http.StatusRequestEntityTooLarge, Text: "The front door takes no body"}
	errAnswer = &Refusal{Status: http.StatusInternalServerError, Text: "The front door's answer is not a text of at most 64 KiB with a status from 200 to 599"}
	errHeader = &Refusal{Status: http.StatusInternalServerError, Text: "A header of the front door's answer cannot be sent"}
)

// admit has the application answer a request that is not for an agent.
func (g *gateway) admit(w http.ResponseWriter, r *http.Request) {
	if g.settings.allowOrigin(w.Header(), r) && r.Method == http.MethodOptions {
		return
	}
	if r.ContentLength != 0 {
		refuse(w, r, errBody)
		return
	}
	answer := &responseRecorder{header: http.Header{}}
	g.options.Admit.ServeHTTP(answer, r)
	if refusal := answer.check(); refusal != nil {
		refuse(w, r, refusal)
		return
	}
	maps.Copy(w.Header(), answer.header)
	w.WriteHeader(answer.code())
	_, _ = w.Write(answer.body.Bytes())
}

// check reports why an answer cannot be sent. It removes the headers that only the front door itself
// may set: by them a handler could forward a request that nobody has authorized.
func (k *responseRecorder) check() *Refusal {
	maps.DeleteFunc(k.header, func(key string, _ []string) bool {
		return strings.HasPrefix(strings.ToLower(key), "tributary-")
	})
	for key, values := range k.header {
		if key == "" || strings.ContainsFunc(key, notOfName) || strings.ContainsFunc(strings.Join(values, ""), unprintable) {
			return errHeader
		}
	}
	if code := k.code(); code < 200 || code > 599 { // the platform makes no other response
		return errAnswer
	}
	if k.body.Len() > maxAnswer || !utf8.Valid(k.body.Bytes()) {
		return errAnswer
	}
	return nil
}

// notOfName reports whether a character cannot stand in the name of a header.
func notOfName(r rune) bool { return unprintable(r) || strings.ContainsRune(" \"(),/:;<=>?@[\\]{}", r) }

// unprintable reports whether a character cannot stand in the value of a header.
func unprintable(r rune) bool { return r < ' ' || r > '~' }
