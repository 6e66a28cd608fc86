// Package mcpserver is how other programs use an agent: it answers the requests of the Model Context
// Protocol. A call of a tool is a routine over a journal, outside of any turn, with a row of its own.
//
// A call is answered at once if its code ends soon. After that it becomes a task that the client asks
// for, or a stream of events. If the code asks a person, the answer is the question, and the client
// repeats the request with what the person has said. README.md has the decisions.
package mcpserver
