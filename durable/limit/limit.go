// Package limit is the table of all limits on what comes into an object: from browsers, from
// models, from tools and other code of an agent's author, and from other objects. Everything is
// held to its limit where it comes in, since a value that outgrows its row traps the instance,
// and with it the memory of every object of the isolate.
//
// Sizes are in bytes. What is stored or sent as JSON is measured as JSON, after encoding; and <,
// > and & stand for themselves in it, since as escapes they would take six bytes each. A test
// walks this table: every entry has a case at the limit, one beyond it, and six times the limit
// in markup.
package limit

// Storage.
const (
	// Row is what one row of storage may hold, the platform's limit. A statement beyond it is an
	// error, and a failed statement a panic: nothing that comes in may get that far.
	Row = 2_000_000
	// Chunk is one chunk of a log. Whatever becomes a chunk has a lower limit of its own. A
	// helper whose chunk is larger is stopped, and its run says why.
	Chunk = 1_000_000
)

// Frames of browsers. A sender is told by the end of its request, the error of its call, or a
// complaint; nothing is changed by its frame.
const (
	// Frame is a whole frame. A client posts its whole list with every request, so this
	// bounds what it can be shown, too.
	Frame = 4 << 20
	// Depth is how deep the values of a frame may be nested, and so what comes of models and
	// tools: a client posts that back.
	Depth = 1_000
	// Elements is the number of elements and fields of a frame that is decoded, and of a request's
	// body: all but the messages of the client's list that are only passed over.
	Elements = 200_000
	// Message is one message, so that it fits into a row of storage.
	Message = 1_800_000
	// Messages is the number of messages in a frame, Parts that of one message.
	Messages, Parts = 10_000, 2_000
	// Fresh is the number of messages that one frame may add or change: each is a row.
	Fresh = 256
	// ID is any id that a client makes: of a request, a message, a probe, a call.
	ID = 128
	// Call is all arguments of one call of a method, Args their number.
	Call, Args = 256 << 10, 64
	// ClientTools is all that a browser says of its tools, Tools their number.
	ClientTools, Tools = 64 << 10, 128
	// State is the agent's state, whoever sets it. A client is told by a state error, code by an error.
	State = 1_000_000
	// Path is the path of a request or a socket. A socket is closed with 4414, a request
	// answered with 414.
	Path = 8 << 10
)

// Answers of models. The turn fails, and says so to the person who asked.
const (
	// Event is one event of an answer's stream.
	Event = 1 << 20
	// Body is an answer that comes in one piece.
	Body = 4 << 20
	// Answer is what a model, or a program, may say in one turn, without what its tools return.
	// What is shown already is kept.
	Answer = 800_000
	// ToolInput is the input of one call of a tool, ToolCalls the number of calls of one answer,
	// ToolName the name of a tool that is called.
	ToolInput, ToolCalls, ToolName = 256 << 10, 128, 128
	// Thought is what a provider wants to see again of one thought.
	Thought = 256 << 10
)

// What tools return. The model is told of it, in place of the output, and so is everybody who
// watches.
const (
	// Output is one output, of the server or of a browser, and of a program.
	Output = 256 << 10
	// Outputs is all outputs and errors of one turn.
	Outputs = 4 << 20
	// ToolError is the error of one call. A longer one is cut off, and says so.
	ToolError = 256 << 10
	// Await is what one await of a tool's code can bring, AwaitError its failure, which is cut off.
	Await, AwaitError = 1_500_000, 256 << 10
)

// What the code of an agent's author hands over. It gets an error.
const (
	// Result is what a method returns, or emits: it travels in one frame, also out of a helper.
	Result = 1_900_000
	// Words is the text of an error that a client, or whoever asked, is told. A longer one is cut off.
	Words = 100 << 10
	// Notice is a message that code puts into a chat, a submission's text, and a narration.
	Notice = 64 << 10
	// Submission is the id of a submission, and its key.
	Submission = 100
	// Payload is what a schedule is made with, ScheduleID its id.
	Payload, ScheduleID = 64 << 10, 256
	// Remark is what a hook has the model told in place of what was left out.
	Remark = 1_000_000
)

// Runs of helpers: what a parent asks, and what its helper says of them.
const (
	// RunInput is what a helper is asked, as JSON and in words. A run beyond it is refused, and
	// so is one whose schema is larger than RunSchema.
	RunInput, RunSchema = 256 << 10, 64 << 10
	// RunPreview and RunDisplay are what browsers are shown of it. What is larger is not shown.
	RunPreview, RunDisplay = 16 << 10, 4 << 10
	// Summary is what a run has said at last, and its failure, at its parent. A longer one is cut off.
	Summary = 100 << 10
	// Milestones is the number of milestones that a run can reach, MilestoneName the name of one.
	Milestones, MilestoneName = 100, 128
	// Phase, ReportWords and ReportData are what a report of progress may say; ReportData is that
	// of a milestone as well.
	Phase, ReportWords, ReportData = 128, 1 << 10, 4 << 10
)
