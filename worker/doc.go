// Package worker is the front door: the Go program that every request for an agent passes before an object sees it.
//
// It is an [net/http.Handler] that never carries a body or a socket. To each request it gives one of three answers, as
// headers that the TypeScript beside it (serve.ts) acts on:
//
//   - forward: the request itself goes to the named object ([HeaderBinding], [HeaderName]), with until when it is authorized
//     in its query ([HeaderQuery]), which a client cannot say;
//   - close: the upgrade is accepted and closed at once with a code that tells the client to stop ([HeaderClose]);
//   - anything else is the answer itself: health, a preflight, an error.
//
// Under GOOS=js it runs on github.com/syumai/workers. One instance serves all requests of an isolate, which holds only
// while a handler returns without waiting: see [Serve].
package worker
