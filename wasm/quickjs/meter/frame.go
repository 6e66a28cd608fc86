package meter

import "github.com/tributary-agents/tributary/internal/section"

// What a frame takes on the host that needs most: V8, which was measured with scripts that nest in each way
// that the engine can nest. It is the machine code's own part, and a place for each parameter and local.
const (
	frameBase  = 192
	frameLocal = 4
)

func frameSize(locals uint64) int64 { return frameBase + frameLocal*int64(locals) }

// enter appends the instructions that take a frame from the stack, or trap if too little is left.
func (c *counter) enter(out []byte, frame int64) []byte {
	out = c.change(out, frame, opI32Sub)
	out = section.AppendUint(append(out, opGlobalGet), c.stack)
	return append(out, opI32Const, 0, opI32LessThan, opIf, typeNothing, opUnreachable, opEnd)
}

// leave appends the instructions that give the frame back.
func (c *counter) leave(out []byte, frame int64) []byte { return c.change(out, frame, opI32Add) }

func (c *counter) change(out []byte, frame int64, op byte) []byte {
	out = section.AppendUint(append(out, opGlobalGet), c.stack)
	out = append(section.AppendInt(append(out, opI32Const), frame), op)
	return section.AppendUint(append(out, opGlobalSet), c.stack)
}
