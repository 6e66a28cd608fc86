package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// statusError returns the error for a response whose status is not 200.
func statusError(head responseHead, body []byte, from Origin) *Error {
	e := classify(head.status, parseSaid(body), from)
	e.Status = head.status
	if e.Retryable() {
		e.RetryAfter = head.retryAfter
	}
	if e.RetryAfter > 0 {
		e.Message += " (it asks to wait " + waitText(e.RetryAfter) + ")"
	}
	return e
}

// quotaCode reports an account without money. Its status is 429, but waiting does not help.
const quotaCode = "insufficient_quota"

// cloudQuotaCode reports that Workers AI's free allocation is used up.
const cloudQuotaCode = "3036"

func classify(status int, said saidError, from Origin) *Error {
	switch {
	case said.code == quotaCode, said.code == cloudQuotaCode && from.Binding != "":
		return &Error{Kind: Rejected, Message: said.after("the model's account has used up its quota")}
	case status == 429:
		return &Error{Kind: RateLimited, Message: said.after("the model is asked too often")}
	case status == 408 || status >= 500:
		return &Error{Kind: Unavailable, Message: said.after(fmt.Sprintf("the model cannot answer now (status %d)", status))}
	case status == 401:
		said.message = hideKeys(said.message)
		return &Error{Kind: Rejected, Message: said.after(from.keyHint())}
	case status == 403:
		return &Error{Kind: Rejected, Message: said.after(from.forbiddenHint())}
	case status == 404:
		return &Error{Kind: Rejected, Message: said.after(from.unknownHint())}
	case status >= 400:
		return &Error{Kind: Rejected, Message: said.after(fmt.Sprintf("the model refused the request (status %d)", status))}
	}
	what := fmt.Sprintf("the model's endpoint answered with status %d, which is no answer: see %s", status, VarBaseURL)
	return &Error{Kind: Garbled, Message: what}
}

// SaysNothing says whether a report of a failure is none: null, a blank text, 0, false, or an object
// or a list of nothing else. Some servers send one with every event.
func SaysNothing(raw json.RawMessage) bool {
	var v any
	return len(raw) == 0 || len(raw) <= maxNothing && json.Unmarshal(raw, &v) == nil && isNothing(v)
}

// maxNothing is how long a report is that may say nothing, in bytes. A longer one is not decoded: its values would take
// fifty times its size, and its numbers may take long to read.
const maxNothing = 1 << 10

func isNothing(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v) == ""
	case map[string]any:
		for _, field := range v {
			if !isNothing(field) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(v any) bool { return !isNothing(v) })
	}
	return v == nil || v == false || v == 0.0
}

// plainText returns the text of a JSON string, and any other text unchanged. null and pages of HTML
// give "".
func plainText(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if bytes.HasPrefix(raw, []byte("<")) {
		return ""
	}
	return string(raw)
}

// after appends the endpoint's text to a text of ours.
func (s saidError) after(words string) string {
	if quoted := Quote(s.message); quoted != "" {
		return words + ": " + quoted
	}
	return words
}

// waitText formats a delay, given in milliseconds, in whole seconds.
func waitText(ms int64) string {
	return strconv.FormatInt((ms+999)/1000, 10) + " s"
}
