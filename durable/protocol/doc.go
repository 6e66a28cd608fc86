// Package protocol is the browser wire: the frames that the published agents
// client sends and understands, the chunks of a streamed answer, and the
// messages that chunks fold into. It is one small room because it is the one
// that moves: a new client version is met here and nowhere else.
//
// Everything that comes in is parsed by [ParseFrame] and [ParseChatBody];
// behind them, values are known to be well-formed and within [Limits].
package protocol
