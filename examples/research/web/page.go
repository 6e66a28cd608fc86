package web

import (
	"errors"
	"fmt"
	"mime"
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

const (
	// maxRedirects is how many redirects are followed.
	maxRedirects = 3
	// maxText is how many bytes of a page's text are kept.
	maxText = 24 << 10
)

// Page is the text of a page. URL is where it was found, behind redirects.
type Page struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text,omitempty"`
	// Cut says that the page has more text.
	Cut bool `json:"cut,omitempty"`
}

// Read reads a page. A redirect is followed on the same host and to listed hosts. Another host is
// named in the error, because a person has allowed only this one.
func Read(c flow.Awaiter, address *url.URL, listed Hosts) (Page, error) {
	for range maxRedirects + 1 {
		response, err := get(c, address.String(), durable.Header{Name: "Accept", Value: "text/html, text/plain;q=0.9, text/markdown;q=0.9"})
		if err != nil {
			return Page{}, err
		}
		location := response.Header["location"]
		if response.Status < 300 || response.Status > 399 || location == "" {
			return pageOf(address, response)
		}
		if address, err = follow(address, location, listed); err != nil {
			return Page{}, err
		}
	}
	return Page{}, fmt.Errorf("the page has more than %d redirects", maxRedirects)
}

// follow returns the address that a redirect leads to, if it may be read.
func follow(from *url.URL, location string, listed Hosts) (*url.URL, error) {
	to, err := from.Parse(location)
	if err != nil {
		return nil, errors.New("the page redirects to an address that cannot be read")
	}
	to, err = ParseAddress(to.String())
	switch {
	case err != nil:
		return nil, fmt.Errorf("the page redirects elsewhere: %w", err)
	case to.Host != from.Host && !listed.Has(to.Host):
		return nil, fmt.Errorf("the page redirects to another host: fetch %s if it serves the question", to)
	}
	return to, nil
}

// pageOf returns the text of a response.
func pageOf(address *url.URL, response flow.Response) (Page, error) {
	if err := refusal(response); err != nil {
		return Page{}, err
	}
	media, parameters, err := mime.ParseMediaType(response.Header["content-type"])
	if err != nil {
		return Page{}, errors.New("the server does not say what the page is")
	}
	body, err := decode(response.Body, parameters["charset"])
	if err != nil {
		return Page{}, err
	}
	p := Page{URL: address.String()}
	switch media {
	case "text/html", "application/xhtml+xml":
		if p.Title, p.Text, err = Text(body); err != nil {
			return Page{}, err
		}
	case "text/plain", "text/markdown":
		p.Text = strings.TrimSpace(body)
	default:
		return Page{}, fmt.Errorf("the page is %s, and only HTML and plain text are read", media)
	}
	if p.Text == "" {
		return Page{}, errors.New("the page has no text: it may be written by a script")
	}
	if len(p.Text) > maxText {
		p.Text, p.Cut = strings.ToValidUTF8(p.Text[:maxText], ""), true
	}
	return p, nil
}
