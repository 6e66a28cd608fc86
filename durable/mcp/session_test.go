package mcp

import "testing"

// TestSessionEnded checks which refusals mean that a new session helps.
func TestSessionEnded(t *testing.T) {
	for _, tt := range []struct {
		version string
		status  int
		err     *Error
		want    bool
	}{
		{LegacyVersion, 404, nil, true},
		{LegacyVersion, 404, &Error{Code: -32001}, true},
		{LegacyVersion, 400, &Error{Code: CodeLegacySession}, true},
		{LegacyVersion, 400, &Error{Code: CodeInvalidParams}, false},
		{LegacyVersion, 400, nil, false},
		{LegacyVersion, 200, &Error{Code: CodeLegacySession}, false},
		{Version, 404, &Error{Code: CodeNoMethod}, false},
	} {
		if got := SessionEnded(tt.version, tt.status, tt.err); got != tt.want {
			t.Errorf("%s, %d, %v: got %v, want %v", tt.version, tt.status, tt.err, got, tt.want)
		}
	}
}
