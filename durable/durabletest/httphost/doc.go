// Package httphost serves one object over HTTP in this process, natively or on the module, so that a
// program that speaks HTTP can use it without the platform. It is no host for anything else: it knows
// requests, fetches, timers and the alarm of a root without helpers and without sockets.
package httphost
