package mcp

import (
	"strings"
)

// Post is an HTTP request that a server has received.
type Post struct {
	// Method is the method of HTTP.
	Method string
	// Header has names in lower case.
	Header map[string]string
	Body   []byte
}

// Received is a message that a server has received, and who sent it.
type Received struct {
	// Message is a request, a notification, or a legacy client's answer to a question.
	Message Message
	// Call is for a request.
	Call Call
	// Caller has the version of the message. That of an [Initialize] is the version of its answer.
	Caller Caller
	// Session is what a legacy client sends, or "".
	Session string
}

// Refusal is how a server answers what it does not take.
type Refusal struct {
	// Status is the HTTP status.
	Status int
	// Body is a message, or nil.
	Body []byte
	// Allow is the header of this name, for the status 405.
	Allow string
}

// Receive reads the request of a client. The Refusal is nil if it can be answered. Legacy clients send
// GET and DELETE too: their server looks at the method first. Whether a token, an origin and a session
// are good is not checked here, and neither are the arguments that are sent as headers: see
// [CheckParams].
func Receive(p Post) (Received, *Refusal) {
	if refusal := checkPost(p); refusal != nil {
		return Received{}, refusal
	}
	m, err := ParseMessage(p.Body)
	if err != nil {
		return Received{}, refuse(m.ID, Version, err)
	}
	r := Received{Message: m}
	if r.Caller, err = ParseCaller(m); err != nil {
		return r, refuseWith(400, m.ID, err)
	}
	if err := r.agree(p.Header); err != nil {
		return r, refuseWith(400, m.ID, err)
	}
	if !m.IsRequest() {
		return r, nil
	}
	if !Speaks(r.Caller.Version, m.Method) {
		return r, refuse(m.ID, r.Caller.Version, NoMethod(m.Method))
	}
	if r.Call, err = ParseCall(m); err != nil {
		return r, refuse(m.ID, r.Caller.Version, err)
	}
	if c, ok := r.Call.(Initialize); ok {
		r.Caller = Caller{Version: AnswerHandshake(c.Version), Info: c.Info, Capabilities: c.Capabilities}
	}
	return r, nil
}

func checkPost(p Post) *Refusal {
	switch {
	case p.Method != "POST":
		return &Refusal{Status: 405, Allow: "POST"}
	case MediaType(p.Header["content-type"]) != "application/json":
		return &Refusal{Status: 415}
	case !Accepts(p.Header["accept"], "application/json") || !Accepts(p.Header["accept"], "text/event-stream"):
		return &Refusal{Status: 406}
	case len(p.Body) > MaxMessage:
		return &Refusal{Status: 413}
	}
	return nil
}

// Accepts says whether a client takes a type. Weights are not looked at.
func Accepts(accept, kind string) bool {
	group, _, _ := strings.Cut(kind, "/")
	for one := range strings.SplitSeq(accept, ",") {
		switch MediaType(one) {
		case kind, group + "/*", "*/*":
			return true
		}
	}
	return false
}

// agree finds out the version of the message, and checks it against the headers.
func (r *Received) agree(header map[string]string) error {
	m, inBody, inHeader := r.Message, r.Caller.Version, strings.Trim(header[HeaderVersion], " \t")
	switch {
	case inBody == "" && (Modern(inHeader) && m.IsRequest() || m.Method == MethodDiscover):
		return invalidParams("_meta must have " + metaVersion)
	case inBody == "" && Modern(inHeader) && m.IsResponse():
		return invalidRequest("a client sends no responses in this version")
	case inBody == "":
		return r.agreeLegacy(header, inHeader)
	case inBody != inHeader:
		return headerMismatch(HeaderVersion)
	case !Modern(inBody) || Choose([]string{inBody}) == "":
		return UnsupportedVersion(inBody)
	case m.IsRequest():
		return checkHeaders(header, m)
	}
	return nil
}

// agreeLegacy takes a request without a version for one of a client that was there before the header.
func (r *Received) agreeLegacy(header map[string]string, version string) error {
	r.Session = header[HeaderSession]
	r.Caller.Version = version
	switch {
	case r.Message.Method == MethodInitialize || version == "":
		r.Caller.Version = oldest
	case Choose([]string{version}) == "":
		return UnsupportedVersion(version)
	}
	return nil
}

// oldest is the version of a request that names none.
const oldest = "2025-03-26"

func refuse(id ID, version string, err error) *Refusal {
	status := 200
	if e, ok := err.(*Error); ok {
		status = e.Status(version)
	}
	return refuseWith(status, id, err)
}

func refuseWith(status int, id ID, err error) *Refusal {
	e, ok := err.(*Error)
	if !ok {
		e = &Error{Code: CodeInternal, Message: "internal error"}
	}
	return &Refusal{Status: status, Body: EncodeError(id, e)}
}
