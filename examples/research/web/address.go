// Package web reads public pages and asks search APIs, with requests that survive the loss of the
// instance: see package flow.
package web

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxAddress is how long an address may be, in bytes.
const maxAddress = 2048

// private are the names at the end of hosts that are not public.
var private = []string{"localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "home.arpa", "onion"}

// ParseAddress returns the address of a public page. An address comes from a model, and so perhaps
// from a page that the model has read. It must not lead into the network that the Worker runs in.
//
// Only https and names of hosts are allowed. All hosts in numbers are refused, because there are many
// ways to write a private one: 127.1, 0x7f000001, [::1]. It is not known here what a name stands for.
// A name that leads to a private address reaches nothing from Cloudflare's network, but on a
// developer's machine it may. That is one reason why a person is asked about hosts, see [Hosts].
func ParseAddress(text string) (*url.URL, error) {
	if len(text) > maxAddress {
		return nil, fmt.Errorf("the address has %d bytes, at most %d", len(text), maxAddress)
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("%.100q is no address", text)
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	switch {
	case u.Scheme != "https":
		return nil, errors.New("only addresses that begin with https:// are read")
	case u.User != nil:
		return nil, errors.New("an address with a user name is not read")
	case u.Port() != "" && u.Port() != "443":
		return nil, fmt.Errorf("port %s is not read, only the usual one", u.Port())
	}
	if err := checkHost(host); err != nil {
		return nil, err
	}
	u.Host, u.Fragment, u.RawFragment = host, "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// checkHost says why a host is not one of public pages.
func checkHost(host string) error {
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, notInNames) {
			return fmt.Errorf("%.100q is not the name of a host in the letters a to z, digits and dashes", host)
		}
	}
	last := labels[len(labels)-1]
	if last[0] >= '0' && last[0] <= '9' { // a browser reads such a host as an IPv4 address
		return fmt.Errorf("%.100s is a number and not the name of a host", host)
	}
	if len(labels) == 1 || slices.ContainsFunc(private, func(p string) bool { return strings.HasSuffix("."+host, "."+p) }) {
		return fmt.Errorf("%.100s is no public host", host)
	}
	return nil
}

func notInNames(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
}
