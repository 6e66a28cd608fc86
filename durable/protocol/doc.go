// Package protocol is the browser wire: the frames that the published agents client sends and
// understands, the chunks of a streamed answer, and the messages that chunks fold into. Only this
// package changes when a new client version changes the wire.
//
// [ParseFrame] and [ParseChatBody] parse all input. Values behind them are well-formed and within
// [Limits].
package protocol
