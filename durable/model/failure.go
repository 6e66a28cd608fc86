package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// This file reads an endpoint's report of a failure, in whatever shape it comes: nested in "error", flat,
// in a list, or as text; in a body of its own, in an answer's stream, framed or not.

// saidError is an endpoint's report of a failure.
type saidError struct {
	message string
	// code is the endpoint's text or number for the cause. codes are all of them, and status is the HTTP
	// status among them, or 0.
	code   string
	codes  string
	status int
	// certain says that the report can be nothing else. Else it has words alone, which may be no failure.
	certain bool
}

// maxWrapped is how deep an error may be nested in others.
const maxWrapped = 3

// report is the fields of a report that are read. Their names are compared without regard to case.
type report struct {
	Error   json.RawMessage       `json:"error"`
	Errors  List[json.RawMessage] `json:"errors"`
	Base    json.RawMessage       `json:"base_resp"`
	Choices List[json.RawMessage] `json:"choices"`
	Object  Word                  `json:"object"`
	Type    Word                  `json:"type"`

	Description looseText `json:"description"`
	Message     looseText `json:"message"`
	Msg         looseText `json:"msg"`
	Detail      looseText `json:"detail"`
	ErrorMsg    looseText `json:"error_msg"`
	ErrorText   looseText `json:"error_message"`
	StatusMsg   looseText `json:"status_msg"`
	Title       looseText `json:"title"`

	Internal   Word `json:"internalCode"`
	Code       Word `json:"code"`
	ErrorCode  Word `json:"error_code"`
	StatusCode Word `json:"status_code"`
	HTTPStatus Word `json:"statusCode"`
	Status     Word `json:"status"`
	Class      Word `json:"__type"`
}

// looseText is a text, or the JSON of a list or an object. Other values are no text.
type looseText string

// UnmarshalJSON reads any value.
func (t *looseText) UnmarshalJSON(data []byte) error {
	*t = ""
	if len(data) > 0 && (data[0] == '"' || data[0] == '[' || data[0] == '{') {
		*t = looseText(plainText(data))
	}
	return nil
}

// parseSaid reads a report that is known to be one: JSON, the data of events, or plain text.
func parseSaid(body []byte) saidError {
	body = unwrapEvents(bytes.TrimSpace(body))
	if said := readFailure(body); said.message != "" || said.code != "" {
		return said
	}
	if json.Valid(body) && isJSON(body) && SaysNothing(body) {
		return saidError{}
	}
	return saidError{message: plainText(body)}
}

// unwrapEvents returns the data of the first event, if a text consists of events.
func unwrapEvents(body []byte) []byte {
	if !bytes.HasPrefix(body, []byte("data:")) && !bytes.HasPrefix(body, []byte("event:")) && !bytes.HasPrefix(body, []byte(":")) {
		return body
	}
	var p sseParser
	events, _ := p.feed(body) // what comes before an error counts
	for _, e := range append(events, p.rest()...) {
		if data := bytes.TrimSpace(e.data); len(data) > 0 {
			return data
		}
	}
	return body
}

// readFailure reads the report that a JSON text may be. A report has no choices.
func readFailure(body []byte) (said saidError) {
	body = bytes.TrimSpace(body)
	var s report
	for range maxWrapped + 1 {
		s = report{Type: s.Type, Code: s.Code, Status: s.Status}
		if bytes.HasPrefix(body, []byte("[")) {
			var all []json.RawMessage
			if json.Unmarshal(body, &all) != nil || len(all) == 0 || !bytes.HasPrefix(bytes.TrimSpace(all[0]), []byte("{")) {
				return saidError{}
			}
			body = bytes.TrimSpace(all[0])
		}
		if !bytes.HasPrefix(body, []byte("{")) {
			return saidError{message: plainText(body), code: said.code, codes: said.codes, status: said.status, certain: said.certain}
		}
		if Decode(body, &s) != nil || len(s.Choices) > 0 {
			return saidError{}
		}
		said = s.said(said)
		inner := s.inner()
		if inner == nil {
			return said
		}
		said.certain, body = true, inner
	}
	return said
}

// inner returns the report that is nested in this one, or nil.
func (s report) inner() json.RawMessage {
	switch {
	case len(s.Errors) > 0:
		return s.Errors[0]
	case !SaysNothing(s.Error) && string(s.Error) != "true":
		return bytes.TrimSpace(s.Error)
	case len(s.Base) > 0 && s.message() == "":
		var base report
		if Decode(s.Base, &base) == nil && !isSuccess(string(base.StatusCode)) {
			return bytes.TrimSpace(s.Base)
		}
	}
	return nil
}

func (s report) message() string {
	message := string(s.Message)
	if strings.HasPrefix(message, "{") && !s.fails() { // that of an answer
		message = ""
	}
	return cmp.Or(string(s.Description), message, string(s.Msg), string(s.Detail), string(s.ErrorMsg), string(s.ErrorText), string(s.StatusMsg), string(s.Title))
}

// said adds what a report says to what the one around it has said.
func (s report) said(around saidError) saidError {
	codes := []string{string(s.Internal), string(s.Code), string(s.ErrorCode), string(s.StatusCode), string(s.HTTPStatus), string(s.Status), string(s.Class), string(s.Type)}
	said := saidError{message: cmp.Or(s.message(), around.message), code: around.code, codes: around.codes, status: around.status, certain: around.certain}
	named := false
	for i, code := range codes {
		if isSuccess(code) || code == "error" {
			continue
		}
		if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
			said.status = n
		}
		if said.codes += " " + code; i < len(codes)-1 || s.Object == "error" { // a type alone is that of any event
			named = true
		}
	}
	for _, code := range codes {
		if code != "error" && !isSuccess(code) {
			said.code = code
			break
		}
	}
	said.certain = said.certain || s.fails() || named && s.message() != ""
	return said
}

// fails says whether a report calls itself one.
func (s report) fails() bool {
	return s.Object == "error" || s.Type == "error" || s.Status == "error" || string(s.Error) == "true"
}

// isSuccess says whether a code says that nothing has failed.
func isSuccess(code string) bool {
	switch strings.ToLower(code) {
	case "", "0", "200", "ok", "success", "null", "none":
		return true
	}
	return false
}

// Words of an endpoint's codes, in small letters and without what joins them: they tell a failure that
// lasts from one that may pass. What has none of them may pass.
var (
	quotaWords   = []string{"insufficientquota", "insufficientbalance", "billing", "paymentrequired", "arrear"}
	rateWords    = []string{"ratelimit", "throttl", "toomanyrequests", "resourceexhausted"}
	lastingWords = []string{
		"invalid", "badrequest", "authentication", "unauthorized", "permission", "forbidden", "accessdenied", "notfound", "notsupported", "unsupported",
		"unprocessable", "validation", "contextlength", "contextwindow", "contextsize", "exceedcontext", "toolarge", "toolong", "policy",
	}
)

func hasWord(codes string, words []string) bool {
	codes = strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(codes))
	for _, w := range words {
		if strings.Contains(codes, w) {
			return true
		}
	}
	return false
}

// StreamError returns the failure that an endpoint reports within an answer that began with status
// 200. raw is the report, in any of the forms that providers use. Its text is quoted, see [Quote].
func StreamError(raw json.RawMessage, from Origin) *Error {
	said := parseSaid(raw)
	switch {
	case hasWord(said.codes, quotaWords):
		said.code = quotaCode
		return classify(429, said, from)
	case said.status > 0:
		return classify(said.status, said, from)
	case hasWord(said.codes, rateWords):
		return classify(429, said, from)
	case hasWord(said.codes, lastingWords):
		return classify(400, said, from)
	}
	return &Error{Kind: Unavailable, Message: said.after("the model broke its answer off")}
}
