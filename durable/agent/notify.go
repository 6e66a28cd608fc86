package agent

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/run"
)

// Notify is a handler for the ends of detached runs, see [Agent.Handlers]. It puts the result of a
// run into the chat, 32 KiB of it at most, and the model reacts to it. The end of a run that a
// person has cancelled is not put there, because that person knows of it.
func Notify(c *Conversation, r RunInfo) error {
	if r.Reason == run.Cancelled {
		return nil
	}
	if r.Status == run.Completed {
		return c.Notify(fmt.Sprintf("(The %s at work in the background has finished.)\n\n%s", r.Class, cut(cmp.Or(r.Summary, string(r.Output)))))
	}
	return c.Notify(fmt.Sprintf("(The %s at work in the background has no result.)\n\n%s", r.Class, cut(r.Failure)))
}

// cut cuts a text to the size of a notice.
func cut(text string) string {
	const room = 32 << 10
	if len(text) > room {
		return strings.ToValidUTF8(text[:room], "") + "…"
	}
	return text
}
