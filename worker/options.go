package worker

import (
	"net/http"
	"time"
)

// Options are what a front door of one's own decides. Without them it is the one that Tributary
// ships. A project has a front door of its own in frontdoor/main.go:
//
//	func main() {
//		settings := worker.SettingsFrom(os.Getenv)
//		door := worker.Handler(settings, time.Now, worker.Options{Authorize: mine})
//		worker.Rehearse(settings, door)
//		log.Fatal(worker.Serve(door))
//	}
//
// Both functions run while other requests wait, so they must not wait for anything (see [Serve]).
// They know the method, the URL with the query's token alone, the headers that question.ts lists,
// Authorization, Cookie, Host and Origin among them, and the variables whose names begin with LOGIN_.
// The cookies of a request that a page of another host caused are removed before they see it, so that
// nobody is let in by a cookie without knowing it. A browser that sends neither Origin nor
// Sec-Fetch-Site does not say so: a GET of Admit should change nothing.
type Options struct {
	// Authorize decides whether a request may reach an object, until when, and with which scopes;
	// [Authorize] says how. An [Access] that names no scopes grants none.
	// If it is nil, that function decides. An error that is no [*Refusal] is a 403 that says nothing.
	// An acceptance is remembered for ten seconds at most, by all that the function can know of the
	// request, and the object closes a socket when its time is over.
	Authorize func(s Settings, r *http.Request, to Address, now time.Time) (Access, error)
	// Admit answers the requests that are neither for an agent nor for the front door itself, such as
	// POST /login; usually it is an [http.ServeMux]. If it is nil, they are not found. It is given no
	// bodies: a request with one is refused with 413 before, so a name and a key come in the header
	// Authorization. Its answer is a text of at most 64 KiB with headers, such as Set-Cookie. A socket
	// is refused before Admit is asked. Where the page is served as assets, run_worker_first in the
	// configuration has to list Admit's paths.
	Admit http.Handler
}
