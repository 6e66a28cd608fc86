// Package worker is the front door: the Go program that handles every request for an agent before
// an object does. [Handler] makes it, and [Options] make one of one's own.
//
// It is an [net/http.Handler] that never carries a body or a socket. It gives each request one of
// three answers, as headers that the TypeScript beside it (serve.ts) acts on:
//
//   - forward: the request itself goes to the named object ([HeaderBinding], [HeaderName]). Its query
//     says until when it is authorized ([HeaderUntil]), which a client cannot set, and has lost the
//     token;
//   - close: the upgrade is accepted and closed at once with a code that tells the client to stop
//     ([HeaderClose]);
//   - anything else is the answer itself: health, what a page is told of the agents
//     (/tributary.json), a preflight, an error, or the answer of an application's own handler
//     ([Options.Admit]).
//
// The handler is given what it reads and no more (question.ts): the method, the URL with the query's
// token alone, seven headers, and whether there is a body. That an object is to be forwarded to is
// remembered for ten seconds for the same question, and never longer than the request is authorized
// (remembered.ts).
//
// Under GOOS=js it runs on github.com/syumai/workers. One instance serves all requests of an
// isolate. That works only if a handler returns without waiting: see [Serve].
package worker
