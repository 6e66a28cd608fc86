package mcp

import (
	"encoding/binary"
	"net/netip"
	"net/url"
	"strings"
)

// MaxURL bounds a URL, in bytes.
const MaxURL = 2 << 10

// The errors of [CheckURL].
const (
	ErrURL        failure = "mcp: not a URL that can be used"
	ErrURLScheme  failure = "mcp: the URL must begin with https://"
	ErrURLPrivate failure = "mcp: the URL leads to a private address"
)

// CheckURL refuses a URL of a stranger that must not be fetched: one that is not https, that has a user
// or a fragment, or that leads to an address inside of a network. Development allows the own machine,
// also by http. A name is checked as it is written: whether it leads to a private address is known to
// the host alone, which on Cloudflare has no private network.
func CheckURL(address string, development bool) error {
	if len(address) > MaxURL || strings.ContainsAny(address, "\\ \t\r\n") {
		return ErrURL
	}
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Host == "" || u.User != nil || u.Fragment != "" || strings.HasSuffix(address, "#") {
		return ErrURL
	}
	place, err := placeOf(u.Hostname())
	if err != nil {
		return err
	}
	switch {
	case place == ownMachine && development && (u.Scheme == "http" || u.Scheme == "https"):
		return nil
	case u.Scheme != "https":
		return ErrURLScheme
	case place != outside:
		return ErrURLPrivate
	}
	return nil
}

// place is where a host is.
type place int

const (
	outside place = iota
	inside
	ownMachine
)

// IsLoopback says whether a URL leads to the own machine.
func IsLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	where, err := placeOf(u.Hostname())
	return err == nil && where == ownMachine
}

func placeOf(host string) (place, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return placeOfIP(ip)
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !isHost(host) {
		return inside, ErrURL
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case '0' <= last[0] && last[0] <= '9': // browsers read 127.1, 2130706433 and 0x7f.1 as addresses
		return inside, ErrURL
	case last == "localhost":
		return ownMachine, nil
	case last == host, last == "local", last == "internal", last == "intranet", last == "lan", last == "home", last == "corp", last == "arpa":
		return inside, nil
	}
	return outside, nil
}

// isHost takes names in ASCII alone: a host maps other digits and dots to those of ASCII.
func isHost(host string) bool {
	if host == "" || len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for _, c := range []byte(label) {
			if !isWord(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

// private are the networks of IPv4 that are not reached from everywhere: the bytes of an address, and the
// number of bits that count.
var private = [...][5]byte{
	{0, 0, 0, 0, 8},
	{10, 0, 0, 0, 8},
	{100, 64, 0, 0, 10},
	{169, 254, 0, 0, 16},
	{172, 16, 0, 0, 12},
	{192, 0, 0, 0, 24},
	{192, 0, 2, 0, 24},
	{192, 88, 99, 0, 24},
	{192, 168, 0, 0, 16},
	{198, 18, 0, 0, 15},
	{198, 51, 100, 0, 24},
	{203, 0, 113, 0, 24},
	{224, 0, 0, 0, 3},
}

func placeOfIP(ip netip.Addr) (place, error) {
	if ip.Zone() != "" {
		return inside, ErrURL
	}
	ip = ip.Unmap()
	if ip.IsLoopback() {
		return ownMachine, nil
	}
	if ip.Is6() {
		// Only 2000::/3 is routed. In it are tunnels to IPv4, 2001::/23 and 2002::/16, and examples.
		b := ip.As16()
		tunnel := b[0] == 0x20 && (b[1] == 0x01 && b[2] < 2 || b[1] == 0x02 || b[1] == 0x01 && b[2] == 0x0d && b[3] == 0xb8)
		if b[0]&0xe0 != 0x20 || tunnel || b[0] == 0x3f && b[1] == 0xff {
			return inside, nil
		}
		return outside, nil
	}
	b := ip.As4()
	address := binary.BigEndian.Uint32(b[:])
	for _, p := range private {
		if (address^binary.BigEndian.Uint32(p[:4]))>>(32-p[4]) == 0 {
			return inside, nil
		}
	}
	return outside, nil
}
