// Package script is the port through which code that a model has written runs: JavaScript in an
// engine beside the module. A script lives in a box. It runs until it waits for calls, which the
// caller answers, and runs on from there.
//
// The port is a function of bytes: it has no transaction, reads no clock and reaches no network. The
// same requests give the same results on every host, the units of work included. A box is in memory
// alone, and the host may drop it at any time. The caller then opens it again, and answers from its
// journal.
//
// README.md has the formats.
package script
