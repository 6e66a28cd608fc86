package oauth

import "net/url"

// form is the text of application/x-www-form-urlencoded, in the order of its fields.
type form []byte

//go:noinline
func (f form) add(name, value string) form {
	if len(f) > 0 {
		f = append(f, '&')
	}
	return append(f, name+"="+url.QueryEscape(value)...)
}
