package worker

import "net/http"

// withoutForeignCookies returns the request without its cookies if a page of another host caused it. A
// browser sends the cookies of a host along with whatever any page asks of it, a socket too, so a
// cookie alone does not say that the person wants it. The origin that the setting of CORS names is
// trusted as the host's own.
func (s Settings) withoutForeignCookies(r *http.Request) *http.Request {
	if r.Header.Get("Cookie") == "" || !s.isForeign(r) {
		return r
	}
	r = r.WithContext(r.Context()) // a copy, whose header is still the caller's
	r.Header = r.Header.Clone()
	r.Header.Del("Cookie")
	return r
}

// isForeign reports whether a page of another host caused a request. A link, a form that reads and a
// picture send no Origin. Browsers name the kind of site that they stand on.
func (s Settings) isForeign(r *http.Request) bool {
	if r.Header.Get("Origin") == "" {
		site := r.Header.Get("Sec-Fetch-Site")
		return site == "cross-site" || site == "same-site"
	}
	return !s.isOwnPage(r)
}
