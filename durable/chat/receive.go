package chat

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// receive handles one frame of a browser. A frame that cannot be understood is answered with an
// error to its sender and changes nothing.
func (o *Object) receive(tx *durable.Tx, e durable.SocketMessage) {
	if e.Binary || !o.audience.Has(e.Conn) {
		return // clients send no binary frames; a refused socket may still have sent a frame
	}
	frame, err := protocol.ParseFrame(e.Text)
	if err != nil {
		o.answerBadFrame(tx, e, err)
		return
	}
	switch f := frame.(type) {
	case protocol.ChatRequest:
		o.acceptRequest(tx, e.Conn, f)
	case protocol.Cancel:
		o.cancel(tx, e.Conn, f.ID)
	case protocol.Clear:
		o.clear(tx, e.Conn)
	case protocol.PushMessages:
		o.push(tx, e.Conn, f)
	case protocol.ResumeRequest:
		o.probe(tx, e.Conn, f.ProbeID)
	case protocol.ResumeAck:
		o.replay(tx, e.Conn, f.ID)
	case protocol.SetState:
		o.setState(tx, e.Conn, f.State)
	case protocol.ToolResult:
		o.result(tx, e.Conn, f)
	case protocol.ToolApproval:
		if !o.answer(tx, e.Conn, approvalReply(f)) {
			o.runs.Answer(tx, e.Conn, f.CallID, f.Approved)
		}
	case protocol.Call:
		o.call(tx, e.Conn, f)
	}
}

// answerBadFrame tells the sender what is wrong with its frame. The form of the answer ends the
// sender's wait for a response.
func (o *Object) answerBadFrame(tx *durable.Tx, e durable.SocketMessage, err error) {
	conn := e.Conn
	var bad *protocol.FrameError
	if !errors.As(err, &bad) {
		panic(err)
	}
	switch {
	case bad.IsCall() && bad.ID != "":
		audience.Send(tx, protocol.CallError(bad.ID, bad.Error()), conn)
	case bad.IsChatRequest() && bad.ID != "":
		o.refuse(tx, conn, bad.ID, bad)
	default:
		if len(e.Text) > protocol.Limits.Frame { // the list that the client pushed was not stored; the client is sent the stored one
			o.audience.SendTranscript(tx, conn)
		}
		audience.Send(tx, protocol.Error(bad.Error()), conn)
	}
	tx.Log(durable.Warn, "bad frame", "conn", string(conn), "error", bad.Error())
}

// refuse ends a request that was not accepted. The sender is sent the transcript without the
// refused message. If the message stayed on the page, the next list would contain it again and be
// refused too. If the queue is only full for now, the message stays and can be sent again.
func (o *Object) refuse(tx *durable.Tx, conn durable.ConnID, request string, reason error) {
	if !errors.Is(reason, admission.ErrFull) {
		o.audience.SendTranscript(tx, conn)
	}
	audience.Send(tx, protocol.Response{
		ID: request, Body: []byte(reason.Error()), Done: true, Error: true, Outcome: protocol.Failed,
	}.Encode(), conn)
}
