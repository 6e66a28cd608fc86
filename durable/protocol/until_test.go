package protocol

import "testing"

func TestAuthorizedUntil(t *testing.T) {
	for _, tt := range []struct {
		target string
		at     int64
		ends   bool
	}{
		{"/agents/x/room?_pk=1&_until=1700000000000", 1_700_000_000_000, true},
		{"/agents/x/room?_until=1&_pk=1", 1, true},
		{"/agents/x/room", 0, false},
		{"/agents/x/room?_pk=_until=1&x_until=2", 0, false},
		{"/agents/x/_until=1&", 0, false},
		{"/agents/x/room?_until=", 0, true},
		{"/agents/x/room?_until=soon", 0, true},
	} {
		if at, ends := AuthorizedUntil(tt.target); at != tt.at || ends != tt.ends {
			t.Errorf("AuthorizedUntil(%q) = %d, %v, want %d, %v", tt.target, at, ends, tt.at, tt.ends)
		}
	}
}
