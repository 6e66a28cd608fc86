package guest

import "testing"

// TestCollector shows that garbage is collected behind one large event, and behind many small ones.
func TestCollector(t *testing.T) {
	collections := 0
	c := collector{collect: func() { collections++ }}
	for _, test := range []struct{ events, bytes, want int }{
		{1, eachCollection - 1, 0},
		{1, 1, 1},
		{1, 5 * eachCollection, 1},
		{4, eachCollection / 2, 2},
		{1, 0, 0},
	} {
		collections = 0
		for range test.events {
			c.cross(test.bytes)
			c.rest()
		}
		if collections != test.want {
			t.Errorf("%d events of %d bytes: got %d collections, want %d", test.events, test.bytes, collections, test.want)
		}
	}
}
