package mcpsignin

import (
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the pages that a person sees who signs in. Their texts come from outside, and are shown as
// text.

// answerPresses answers the requests that wait for a sign-in.
func (r *SignIns) answerPresses(tx *durable.Tx, e *signin, status int, words string) {
	for _, p := range e.pressing {
		r.show(tx, p, status, words)
	}
	e.pressing = nil
}

func signedIn(s *mcpclient.Server) string { return "You have signed in to " + s.Name + "." }

// show tells a person one sentence. A script is told it as an error.
func (r *SignIns) show(tx *durable.Tx, p press, status int, words string) {
	if p.json {
		respondJSON(tx, p, status, "error", words, nil)
		return
	}
	title := "Not signed in"
	if status == 200 {
		title, words = "Signed in", words+" You can close this page."
	}
	respondPage(tx, p, status, "no-referrer", title, "<p>"+escape(words)+"</p>"+facts(p.facts()))
}

// explain shows what a link is about, with a button that presses it. Nothing has happened yet. A browser says
// where the form comes from only if the page allows referrers. No form-action limits the form: browsers hold
// the redirect to the authorization server to it too, and where that one redirects.
func (r *SignIns) explain(tx *durable.Tx, p press, s *mcpclient.Server, in signIn) {
	access := strings.Join(in.Scopes, ", ")
	if access == "" {
		access = "whatever " + s.Name + " gives"
	}
	place, _, _ := strings.Cut(s.URL, "?")
	at := origin(in.Server.Authorize)
	list := append(p.facts(), fact{"Asked for by", mcpclient.NameOf(in.For)}, fact{"Access to", s.Name + ", " + place}, fact{"Which access", access}, fact{"You sign in at", at})
	respondPage(tx, p, 200, "same-origin", "Sign in to "+s.Name+"?", "<p>Go on only if you have opened this page from that conversation yourself, and trust who asks. "+
		"Everybody who may use the conversation can then use "+escape(s.Name)+" with your account.</p>"+facts(list)+
		`<form method="post" action="`+escape(r.queryOf(s, in))+`"><button>Go on to `+escape(at)+"</button></form>")
}

// leave sends a person on to an authorization server. A script is told where that is, and sends the person on
// itself. Both keep the cookie.
func (r *SignIns) leave(tx *durable.Tx, p press, location, cookie string) {
	if p.json {
		respondJSON(tx, p, 200, "location", location, map[string]string{"set-cookie": cookie})
		return
	}
	tx.Do(durable.Respond{Request: p.request, Status: 303, Header: map[string]string{
		"location": location, "set-cookie": cookie, "cache-control": "no-store", "referrer-policy": "no-referrer",
	}})
}

// fact is a line of a page.
type fact struct{ name, value string }

// facts are the agent and the conversation of a request.
func (p press) facts() []fact {
	if p.agent == "" {
		return nil
	}
	name, err := url.PathUnescape(p.name)
	if err != nil {
		name = p.name
	}
	return []fact{{"Agent", p.agent}, {"Conversation", name}}
}

// maxFact bounds the value of a fact, in bytes.
const maxFact = 300

func facts(list []fact) string {
	var b strings.Builder
	for _, f := range list {
		b.WriteString("<dt>" + f.name + "</dt><dd>" + escape(mcp.Quote(f.value, maxFact)) + "</dd>")
	}
	return "<dl>" + b.String() + "</dl>"
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

func escape(text string) string { return escaper.Replace(text) }

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1rem;color-scheme:light dark}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
button{font:inherit;padding:.4rem 1rem}`

func respondPage(tx *durable.Tx, p press, status int, referrer, title, body string) {
	page := "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>" + escape(title) +
		"</title><style>" + style + "</style><main><h1>" + escape(title) + "</h1>" + body + "</main></html>\n"
	header := map[string]string{
		"content-type": "text/html; charset=utf-8", "cache-control": "no-store", "referrer-policy": referrer,
		"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
	}
	respond(tx, p, status, header, page)
}

// respondJSON answers a script with an object of one field.
func respondJSON(tx *durable.Tx, p press, status int, field, value string, more map[string]string) {
	header := map[string]string{"content-type": "application/json", "cache-control": "no-store"}
	for name, value := range more {
		header[name] = value
	}
	respond(tx, p, status, header, string(limit.MustMarshal(map[string]string{field: value})))
}

func respond(tx *durable.Tx, p press, status int, header map[string]string, body string) {
	if status == 405 {
		header["allow"] = "GET"
	}
	tx.Do(durable.Respond{Request: p.request, Status: status, Header: header, Body: []byte(body)})
}
