// Package limit is the table of all limits on an object's input: from browsers, from models, from
// tools and other code of an agent's author, and from other objects. Each input is checked where it
// comes in. A value that outgrows its row would trap the instance, and with it the memory of every
// object of the isolate.
//
// Sizes are in bytes. Values that are stored or sent as JSON are measured as JSON, after encoding.
// <, > and & are not escaped in it, because an escape would take six bytes each. A test walks this
// table: every entry has a case at the limit, one beyond it, and one of markup at six times the
// limit.
package limit

// Storage.
const (
	// Row is the platform's limit on one row of storage. A statement beyond it fails, and a failed
	// statement panics, so no input may get that far.
	Row = 2_000_000
	// Chunk is one chunk of a log. Everything that becomes a chunk has a lower limit of its own. A
	// helper whose chunk is larger is stopped, and its run says why.
	Chunk = 1_000_000
)

// Frames of browsers. The sender is told by the end of its request, the error of its call, or an
// error frame. A frame beyond a limit changes nothing.
const (
	// Frame is a whole frame. A client posts its whole list with every request, so this also bounds
	// the list that it can be shown.
	Frame = 4 << 20
	// Depth is how deep the values of a frame may be nested. It also applies to values from models
	// and tools, because a client posts them back.
	Depth = 1_000
	// Elements is the number of elements and fields of a decoded frame, and of a request's body.
	// Messages of the client's list that are only scanned do not count. A number that takes long to decode counts as
	// many, see [NumberCost]. So it does in any other value that code decodes.
	Elements = 200_000
	// Message is one message, so that it fits into a row.
	Message = 1_800_000
	// Messages is the number of messages in a frame, and Parts the number of parts of one message.
	Messages, Parts = 10_000, 2_000
	// Fresh is the number of messages that one frame may add or change: each is a row.
	Fresh = 256
	// ID is any id that a client makes: of a request, a message, a probe, a call.
	ID = 128
	// Call is all arguments of one method call together, and Args their number.
	Call, Args = 256 << 10, 64
	// ClientTools is all tools that a browser offers together, and Tools their number.
	ClientTools, Tools = 64 << 10, 128
	// State is the agent's state, from clients and from code. A client is told by a state error,
	// and code by an error.
	State = 1_000_000
	// Path is the path of a request or a socket. A socket is closed with 4414. A request is
	// answered with 414.
	Path = 8 << 10
)

// Answers of models. The turn fails, and tells the person who asked.
const (
	// Event is one event of an answer's stream.
	Event = 1 << 20
	// Body is an answer that is not streamed.
	Body = 4 << 20
	// Answer is what a model, or a program, may say in one turn, without the outputs of its tools.
	// Text that is already shown is kept.
	Answer = 800_000
	// ToolInput is the input of one tool call, ToolCalls the number of calls in one answer, and
	// ToolName the name of a called tool.
	ToolInput, ToolCalls, ToolName = 256 << 10, 128, 128
	// Thought is the provider's metadata of one reasoning part.
	Thought = 256 << 10
)

// Results of tools. The model and all browsers get an error in place of the output.
const (
	// Output is one output of a tool on the server, of a tool in a browser, or of a program.
	Output = 256 << 10
	// File is one file that a tool shows, as a data URL, and its chunk. The model is told why a larger one
	// is not shown.
	File = 900_000
	// Outputs is all outputs and errors of one turn together.
	Outputs = 4 << 20
	// ToolError is the error of one call. A longer one is cut off with a note.
	ToolError = 256 << 10
	// Await is the result of one await of a tool's code. AwaitError is its error, which is cut off.
	Await, AwaitError = 1_500_000, 256 << 10
	// Steps is the number of steps of a program that its message shows. Later ones run, and are not
	// shown. StepName is the shown name of one, and StepError its shown error. Longer ones are cut off.
	Steps, StepName, StepError = 1_000, 128, 512
)

// Values from the code of an agent's author. The code gets an error.
const (
	// Result is what a method returns or emits. It travels in one frame, also out of a helper.
	Result = 1_900_000
	// Words is the text of an error for a client or a caller. A longer one is cut off.
	Words = 100 << 10
	// HookWords is the text of an error that a hook or a callback gives.
	HookWords = 4 << 10
	// Notice is a message that code adds to a chat, a submission's text, and a narration.
	Notice = 64 << 10
	// Submission is the id of a submission, and also its key.
	Submission = 100
	// Payload is the payload of a schedule, and ScheduleID its id.
	Payload, ScheduleID = 64 << 10, 256
	// Question is all that a person is asked in one question: title, text, choices, default and schema,
	// as JSON. QuestionAnswer is the value that answers it, and QuestionReason why it was refused.
	// Questions is how many questions of an object's own code are open at once.
	Question, QuestionAnswer, QuestionReason, Questions = 32 << 10, 64 << 10, 4 << 10, 64
	// Remark is the text that a hook gives the model in place of messages that were left out.
	Remark = 1_000_000
)

// Runs of helpers: a parent's requests, and its helper's reports.
const (
	// RunInput is a helper's input, as JSON and as text. A run beyond it is refused. So is a run
	// whose schema is larger than RunSchema.
	RunInput, RunSchema = 256 << 10, 64 << 10
	// RunPreview and RunDisplay are what browsers see of the input. A larger one is not shown.
	RunPreview, RunDisplay = 16 << 10, 4 << 10
	// Summary is a run's summary or failure at its parent. A longer one is cut off.
	Summary = 100 << 10
	// Labels is the number of labels of a run, and LabelKey and LabelValue bound each. A run beyond
	// them is refused.
	Labels, LabelKey, LabelValue = 8, 64, 256
	// Milestones is the number of milestones that a run can reach, and MilestoneName the name of
	// one.
	Milestones, MilestoneName = 100, 128
	// Subject is the name of a person in claims. A longer one counts as none.
	Subject = 256
	// SignalName is the name of a signal to a run, SignalID its id, and SignalPayload its payload, as
	// JSON. The sender gets an error.
	SignalName, SignalID, SignalPayload = 128, 128, 256 << 10
	// Signals is the number of signals that are kept for a run until it receives them, and SignalBytes
	// is the size of all their payloads. Further signals are refused until it has received some.
	Signals, SignalBytes = 1_000, 4 << 20
	// Phase, ReportWords and ReportData bound a progress report. ReportData also bounds the data of
	// a milestone.
	Phase, ReportWords, ReportData = 128, 1 << 10, 4 << 10
)
