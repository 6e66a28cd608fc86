package mcp

import (
	"net/url"
	"strings"
	"testing"
)

func TestCheckURL(t *testing.T) {
	for _, address := range []string{
		"https://example.com/mcp", "https://EXAMPLE.com:8443/a?b=c", "https://xn--bcher-kva.example/", "https://8.8.8.8/", "https://[2606:4700::1111]/mcp",
		"https://mcp.example.co./",
	} {
		if err := CheckURL(address, false); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, want := range map[string]error{
		"": ErrURL, "example.com": ErrURL, "/mcp": ErrURL, "https:///mcp": ErrURL, "https:mcp": ErrURL, "http://example.com/": ErrURLScheme,
		"ftp://example.com": ErrURLScheme, "file:///etc/passwd": ErrURL, "javascript:alert(1)": ErrURL, "https://a:b@example.com": ErrURL,
		"https://@example.com": ErrURL, "https://example.com/#a": ErrURL, "https://example.com/#": ErrURL, "https://example.com\\@evil.example/": ErrURL,
		"https://exa mple.com": ErrURL, "https://example.com\n": ErrURL, "https://" + strings.Repeat("a", MaxURL) + ".com": ErrURL,
		"https://127.0.0.1/": ErrURLPrivate, "https://127.9.9.9/": ErrURLPrivate, "https://localhost/": ErrURLPrivate, "https://a.localhost./": ErrURLPrivate,
		"https://10.1.2.3/": ErrURLPrivate, "https://172.16.0.1/": ErrURLPrivate, "https://172.31.255.255/": ErrURLPrivate, "https://192.168.1.1/": ErrURLPrivate,
		"https://169.254.169.254/latest/meta-data": ErrURLPrivate, "https://100.100.100.200/": ErrURLPrivate, "https://0.0.0.0/": ErrURLPrivate,
		"https://192.0.0.192/": ErrURLPrivate, "https://198.18.0.1/": ErrURLPrivate, "https://224.0.0.1/": ErrURLPrivate, "https://255.255.255.255/": ErrURLPrivate,
		"https://[::1]/": ErrURLPrivate, "https://[::]/": ErrURLPrivate, "https://[fe80::1]/": ErrURLPrivate, "https://[fd00:ec2::254]/": ErrURLPrivate,
		"https://[::ffff:10.0.0.1]/": ErrURLPrivate, "https://[::ffff:7f00:1]/": ErrURLPrivate, "https://[64:ff9b::a00:1]/": ErrURLPrivate,
		"https://[2002:a00:1::]/": ErrURLPrivate, "https://[2001::1]/": ErrURLPrivate, "https://[2001:db8::1]/": ErrURLPrivate, "https://[ff02::1]/": ErrURLPrivate,
		"https://[fe80::1%25eth0]/": ErrURL,
		"https://2130706433/":       ErrURL, "https://0x7f000001/": ErrURL, "https://0x7f.1/": ErrURL, "https://127.1/": ErrURL, "https://017700000001/": ErrURL,
		"https://127.0.0.1./": ErrURL, "https://１２７.０.０.１/": ErrURL, "https://127。0。0。1/": ErrURL, "https://%31%32%37.0.0.1/": ErrURL,
		"https://intranet/": ErrURLPrivate, "https://metadata.google.internal/": ErrURLPrivate, "https://printer.local/": ErrURLPrivate,
		"https://a..b/": ErrURL, "https://./": ErrURL, "https://exam%2Fple.com/": ErrURL,
	} {
		if err := CheckURL(address, false); err != want {
			t.Errorf("%s: got %v, want %v", address, err, want)
		}
	}
}

func TestCheckURLInDevelopment(t *testing.T) {
	for address, want := range map[string]error{
		"http://localhost:8787/mcp": nil, "http://127.0.0.1:1/": nil, "https://[::1]:1/": nil, "http://example.com/": ErrURLScheme,
		"http://192.168.1.1/": ErrURLScheme, "https://192.168.1.1/": ErrURLPrivate, "https://169.254.169.254/": ErrURLPrivate, "ftp://localhost/": ErrURLScheme,
	} {
		if err := CheckURL(address, true); err != want {
			t.Errorf("%s: got %v, want %v", address, err, want)
		}
	}
	if !IsLoopback("http://localhost:1/callback") || IsLoopback("https://example.com") || IsLoopback("::") {
		t.Error("the own machine is not known")
	}
}

func FuzzURL(f *testing.F) {
	f.Add("https://example.com:1/a?b")
	f.Add("https://127.0.0.1\\@example.com")
	f.Fuzz(func(t *testing.T, address string) {
		if CheckURL(address, false) != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || u.User != nil || !strings.Contains(u.Hostname(), ".") && !strings.Contains(u.Hostname(), ":") {
			t.Fatalf("%q is accepted", address)
		}
	})
}
