package web

import "testing"

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"https://Example.org":                        "https://example.org/",
		" https://example.org:443/a?b=c#d ":          "https://example.org/a?b=c",
		"https://example.org./a":                     "https://example.org/a",
		"https://xn--mnchen-3ya.example/stra%C3%9Fe": "https://xn--mnchen-3ya.example/stra%C3%9Fe",
	} {
		if got, err := ParseAddress(text); err != nil || got.String() != want {
			t.Errorf("%s: got %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestPrivateAddresses has the ways in which an address can lead into a private network.
func TestPrivateAddresses(t *testing.T) {
	for _, text := range []string{
		"http://example.org/", "file:///etc/passwd", "example.org", "",
		"https://localhost/", "https://printer/", "https://a.localhost./", "https://metadata.google.internal/", "https://nas.local/", "https://router.home.arpa/",
		"https://127.0.0.1/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data/", "https://192.168.0.1/",
		"https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/", "https://127.0.0.1./",
		"https://[::1]/", "https://[fe80::1%25eth0]/", "https://[::ffff:10.0.0.1]/", "https://１２７.0.0.1/", "https://example。org/",
		"https://user@example.org/", "https://example.org:8443/", `https://example.org\@10.0.0.1/`, "https://exa mple.org/", "https://.example.org/", "https://a..b/",
	} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("%s: got %s, want a refusal", text, got)
		}
	}
}

func TestHosts(t *testing.T) {
	for _, test := range []struct {
		list Hosts
		host string
		want bool
	}{
		{"", "example.org", false},
		{"example.org", "example.org", true},
		{"example.org", "www.example.org", false},
		{"go.dev, *.Example.org", "www.example.org", true},
		{"*.example.org", "example.org", true},
		{"*.example.org", "badexample.org", false},
		{"*", "example.org", true},
	} {
		if got := test.list.Has(test.host); got != test.want {
			t.Errorf("%q has %s: %v", test.list, test.host, got)
		}
	}
}
