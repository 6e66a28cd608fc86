// Package client is for programs that talk to agents: on a server, on a command line, in a test. It
// speaks the same wire as the chat page, over HTTP and one WebSocket for each conversation.
//
//	conv, err := client.Dial(ctx, "http://127.0.0.1:8787", client.Options{Agent: "assistant", Name: "monday"})
//	if err != nil {
//		return err
//	}
//	defer conv.Close()
//	answer, err := conv.Say(ctx, "Research tea")
//	if err != nil {
//		return err
//	}
//	for chunk, err := range answer.Chunks() {
//		if err != nil {
//			return err
//		}
//		fmt.Print(chunk.Text)
//	}
//
// A connection that breaks is made again, and an answer under way goes on where it was: the server
// replays the answer, and chunks that were delivered are left out by their number. A question that
// may not have arrived is sent again under the same id, which the server takes once. Neither asks
// the model again. If the answer has ended meanwhile, the rest of it is read from the stored
// conversation.
//
// A [Conversation] may be used by several goroutines, an [Answer] by one at a time. What is kept of an
// answer or a run is bounded, in number and in bytes, see [Options]; how many answers are read at a
// time is up to the program. A conversation has goroutines of its own until
// [Conversation.Close] returns.
package client
