package mcp

import "testing"

// TestSessionEnded checks which refusals mean that a new session helps.
func TestSessionEnded(t *testing.T) {
	for _, tt := range []struct {
		version string
		carried bool
		status  int
		err     *Error
		want    bool
	}{
		// Without a session.
		{LegacyVersion, false, 404, nil, true},
		{LegacyVersion, false, 404, &Error{Code: -32001}, true},
		{LegacyVersion, false, 400, &Error{Code: CodeLegacySession}, true},
		{LegacyVersion, false, 400, &Error{Code: CodeInvalidParams}, false},
		{LegacyVersion, false, 400, nil, false},
		{LegacyVersion, false, 200, &Error{Code: CodeLegacySession}, false},
		{Version, false, 404, &Error{Code: CodeNoMethod}, false},
		// Any refusal of a request that had one.
		{LegacyVersion, true, 400, nil, true},
		{LegacyVersion, true, 400, &Error{Code: CodeInvalidRequest, Message: "Bad Request"}, true},
		{LegacyVersion, true, 400, &Error{Code: CodeInvalidParams, Message: "Invalid request parameters"}, true},
		{LegacyVersion, true, 405, nil, true},
		{LegacyVersion, true, 409, nil, true},
		{LegacyVersion, true, 410, nil, true},
		{LegacyVersion, true, 422, nil, true},
		{"2025-03-26", true, 404, &Error{Code: CodeInvalidRequest, Message: "Session terminated"}, true},
		// An error of JSON-RPC that speaks of the session.
		{LegacyVersion, true, 200, &Error{Code: CodeInvalidRequest, Message: "no"}, true},
		{LegacyVersion, true, 200, &Error{Code: -32001, Message: "Session not found"}, true},
		{LegacyVersion, true, 200, &Error{Code: -32000, Message: "Server not initialized"}, true},
		{LegacyVersion, true, 200, &Error{Code: CodeInternal, Message: "Unknown session ID"}, true},
		{LegacyVersion, true, 500, &Error{Code: CodeInternal, Message: "session has expired"}, true},
		// What may come from a tool that has run, or from the way there.
		{LegacyVersion, true, 200, &Error{Code: CodeInternal, Message: "division by zero"}, false},
		{LegacyVersion, true, 200, &Error{Code: CodeInvalidParams, Message: "Unknown tool: a"}, false},
		{LegacyVersion, true, 200, &Error{Code: CodeLegacySession, Message: "the page has crashed"}, false},
		{LegacyVersion, true, 200, &Error{Code: CodeInternal, Message: "the training session was not saved"}, false},
		{LegacyVersion, true, 500, nil, false},
		{LegacyVersion, true, 503, nil, false},
		{LegacyVersion, true, 401, nil, false},
		{LegacyVersion, true, 403, nil, false},
		{LegacyVersion, true, 429, nil, false},
		{Version, true, 400, &Error{Code: CodeInvalidRequest, Message: "Session not found"}, false},
	} {
		if got := SessionEnded(tt.version, tt.carried, tt.status, tt.err); got != tt.want {
			t.Errorf("%s, carried %v, %d, %v: got %v, want %v", tt.version, tt.carried, tt.status, tt.err, got, tt.want)
		}
	}
}
