package worker

import "net/http"

// withoutForeignCookies returns the request without its cookies if a page of another site sent it. A
// browser sends the cookies of a host along with whatever any page asks of it, a socket too, so a
// cookie alone does not say that the person wants it. The origin that the setting of CORS names is
// trusted as the host's own.
func (s Settings) withoutForeignCookies(r *http.Request) *http.Request {
	if r.Header.Get("Cookie") == "" || s.isOwnPage(r) || s.CORS != "*" && r.Header.Get("Origin") == s.CORS {
		return r
	}
	r = r.WithContext(r.Context()) // a copy, whose header is still the caller's
	r.Header = r.Header.Clone()
	r.Header.Del("Cookie")
	return r
}
