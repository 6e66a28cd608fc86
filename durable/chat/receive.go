package chat

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// receive lets one frame of a browser happen. What cannot be understood is
// answered to its sender and changes nothing.
func (h *Host) receive(tx *durable.Tx, e durable.SocketMessage) {
	if e.Binary || !h.roster.has(e.Conn) {
		return // clients send no binary frames; a socket that was refused may still have sent something
	}
	frame, err := protocol.ParseFrame(e.Text)
	if err != nil {
		h.complain(tx, e, err)
		return
	}
	switch f := frame.(type) {
	case protocol.ChatRequest:
		h.request(tx, e.Conn, f)
	case protocol.Cancel:
		h.cancel(tx, e.Conn, f.ID)
	case protocol.Clear:
		h.clear(tx, e.Conn)
	case protocol.PushMessages:
		h.push(tx, e.Conn, f)
	case protocol.ResumeRequest:
		h.probe(tx, e.Conn, f.ProbeID)
	case protocol.ResumeAck:
		h.replay(tx, e.Conn, f.ID)
	case protocol.SetState:
		h.setState(tx, e.Conn, f.State)
	case protocol.ToolResult:
		h.result(tx, e.Conn, f)
	case protocol.ToolApproval:
		if !h.answer(tx, e.Conn, approvalReply(f)) {
			h.answerRun(tx, e.Conn, f)
		}
	case protocol.Call:
		h.call(tx, e.Conn, f)
	}
}

// complain tells a sender what is wrong with its frame, in the form that
// releases whoever waits for an answer to it.
func (h *Host) complain(tx *durable.Tx, e durable.SocketMessage, err error) {
	conn := e.Conn
	var bad *protocol.FrameError
	if !errors.As(err, &bad) {
		panic(err)
	}
	switch {
	case bad.IsCall() && bad.ID != "":
		send(tx, protocol.CallError(bad.ID, bad.Error()), conn)
	case bad.IsChatRequest() && bad.ID != "":
		h.refuse(tx, conn, bad.ID, bad)
	default:
		if len(e.Text) > protocol.Limits.Frame { // a list that it has set by itself stays as it was
			h.show(tx, conn)
		}
		send(tx, protocol.Complaint(bad.Error()), conn)
	}
	tx.Log(durable.Warn, "bad frame", "conn", string(conn), "error", bad.Error())
}

// refuse ends a request that was not accepted. Its sender is shown the conversation without
// it: a message that stayed on the page would come again in the list of the next one, and have
// that refused as well. Where there is only no room for it yet, it stays, to be asked again.
func (h *Host) refuse(tx *durable.Tx, conn durable.ConnID, request string, reason error) {
	if !errors.Is(reason, errFull) {
		h.show(tx, conn)
	}
	send(tx, protocol.Response{
		ID: request, Body: []byte(reason.Error()), Done: true, Error: true, Outcome: protocol.Failed,
	}.Encode(), conn)
}
