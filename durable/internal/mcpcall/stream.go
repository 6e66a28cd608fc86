package mcpcall

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the streams on which legacy servers answer. Such a server may ask while its stream
// is open, and may end a stream before it has answered: the next stream goes on from the last event.

const (
	// askTime is how long a person has for the answer to a question on a stream.
	askTime = 5 * time.Minute
	// maxStreams is how many streams one answer may take, and maxAsking how many questions may wait.
	maxStreams, maxAsking = 1_000, 16
)

// legacyStream is the exchange of one request.
type legacyStream struct {
	*Call
	target target
	// isJob is what [Context.inJob] says of the call's code.
	isJob bool
	// asking are the questions that wait, each a message. They live in memory, as the stream does.
	asking [][]byte
	// key is the await of the next question. open says that nothing has ended it.
	key  flow.Key
	open bool
}

// exchange sends a request to a legacy server and returns the answer.
func (k *Call) exchange(t target, call mcp.Call) (flow.Response, error) {
	s := &legacyStream{Call: k, target: t, isJob: k.InJob()}
	listening := s.listen()
	response, err := s.receive(k.send(t, call, s.handle))
	if listening != nil {
		listening.Cancel()
	}
	return response, err
}

// receive returns the answer that comes on a stream, or on one that goes on for it.
func (s *legacyStream) receive(stream *flow.PendingFetch) (flow.Response, error) {
	asked := s.nextQuestion()
	for streams := 1; ; {
		if flow.Next(stream, asked) == 1 {
			if err := s.reply(stream, asked); err != nil {
				return flow.Response{}, err
			}
			asked = s.nextQuestion()
			continue
		}
		response, err := stream.Wait()
		event, pause, goesOn := mcpclient.Resumes(response)
		switch {
		case err == nil && streams > 1 && response.Status >= 300: // it is no refusal of the request, which was taken
			return response, errors.New(mcpclient.NoRest(response.Status))
		case err != nil || !goesOn:
			return response, err
		}
		if streams++; streams > maxStreams {
			return response, errors.New("its stream ends again and again without an answer")
		}
		if err := flow.Sleep(s, pause); err != nil {
			return response, err
		}
		stream = s.resume(s.target, event, s.handle)
	}
}

// listen opens the stream on which some servers ask what has to do with a call. It is nil if there is none. A
// server may refuse it, or end it.
func (s *legacyStream) listen() *flow.PendingFetch {
	if !s.target.Listen {
		return nil
	}
	t := s.target
	t.Repeatable = true
	return s.fetch(t, s.endpoint(flow.Event(s), t).Listen(), s.handle)
}

// nextQuestion returns the await of the next question.
func (s *legacyStream) nextQuestion() *flow.Pending {
	begin := func(tx *durable.Tx, key flow.Key) {
		s.key, s.open = key, true
		s.take(tx)
	}
	return s.Await(flow.Op{Name: "question on the stream of " + s.server, Around: true, Begin: begin, Again: begin})
}

// take ends the await with the first question, if there is one.
func (s *legacyStream) take(tx *durable.Tx) bool {
	if !s.open || len(s.asking) == 0 {
		return false
	}
	s.open = false
	flow.Complete(tx, s.key, s.asking[0], "")
	s.asking = s.asking[1:]
	return true
}

// handle handles a message that is no answer. What needs no person is answered at once.
func (s *legacyStream) handle(tx *durable.Tx, m mcp.Message) {
	if !m.IsRequest() {
		s.noted(tx, m)
		return
	}
	ask, err := mcp.ParseAsk(m.Method, m.Params)
	e := s.endpoint(tx, s.target)
	switch {
	case err != nil || !s.servers.offers(ask) || s.isJob && ask.Method() != mcp.MethodRoots:
		s.notify(tx, e.Refuse(m.ID, mcp.NoMethod(m.Method)))
	case ask.Method() == mcp.MethodRoots:
		s.notify(tx, e.Answer(m.ID, mcp.RootList{}))
	case s.servers.elicits(ask):
		s.notify(tx, e.Answer(m.ID, s.servers.answerAtOnce(s.name, ask.(mcp.Elicit))))
	case len(s.asking) >= maxAsking:
		s.notify(tx, e.Refuse(m.ID, mcp.Refused("too many questions wait for an answer")))
	default:
		s.asking = append(s.asking, mcp.EncodeAsk(m.ID, ask))
		if s.take(tx) {
			s.Object.Resume(tx, s.Routine())
		}
	}
}

// notify sends what no answer is awaited to.
func (k *Call) notify(tx *durable.Tx, q mcp.Request) {
	if k.servers.ofRoot {
		k.servers.sendToRoot(tx, mcpclient.NotifyRoot(tx, mcpclient.Request{Server: k.server, Call: &mcpclient.Forwarded{
			Version: k.servers.Find(tx, k.server).Version, Header: q.Header, Body: q.Body, Unanswered: true,
		}}))
		return
	}
	tx.Do(durable.Fetch{Fetch: mcpclient.UnansweredFetch(tx), Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body})
}

// elicits says whether the author's hook answers a question.
func (s *Servers) elicits(ask mcp.Ask) bool {
	e, ok := ask.(mcp.Elicit)
	return ok && e.URL == "" && s.options.Elicit != nil
}

// answerAtOnce has the author's hook answer a form of the server with a name.
func (s *Servers) answerAtOnce(server string, e mcp.Elicit) mcp.ElicitResult {
	answer, ok := s.options.Elicit(server, e.Message, json.RawMessage(e.Schema.JSON()), json.RawMessage(e.Defaults().JSON()))
	if !ok {
		return mcp.ElicitResult{Action: mcp.Decline}
	}
	content, err := mcp.Parse(answer)
	if err != nil || !content.IsObject() {
		return mcp.ElicitResult{Action: mcp.Cancel}
	}
	return mcp.ElicitResult{Action: mcp.Accept, Content: content}
}

// reply puts a question to a person and sends the answer, unless the stream ends before.
func (s *legacyStream) reply(stream *flow.PendingFetch, asked *flow.Pending) error {
	data, err := asked.Wait()
	if err != nil {
		return err
	}
	m, err := mcp.ParseMessage(data)
	if err != nil {
		return err
	}
	answer := flow.Go(s, "answer to "+s.server, func() (json.RawMessage, error) { return s.answerOf(m) })
	if flow.Next(stream, answer) == 0 {
		answer.Cancel()
		return nil
	}
	q := s.endpoint(flow.Event(s), s.target).Refuse(m.ID, mcp.Refused("nobody answers"))
	if value, err := answer.Wait(); err == nil {
		result, err := mcp.Parse(value)
		if err != nil {
			return err
		}
		q = s.endpoint(flow.Event(s), s.target).Reply(m.ID, result)
	}
	_, err = flow.Fetch(s, flow.Request{Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body, Repeatable: true})
	if errors.Is(err, flow.ErrCancelled) || errors.Is(err, flow.ErrTimeout) {
		return err
	}
	return nil // if the server did not get it, its stream says so
}

// answerOf returns the answer to a question. One that no person answers in time is cancelled.
func (k *Call) answerOf(m mcp.Message) (json.RawMessage, error) {
	ask, err := mcp.ParseAsk(m.Method, m.Params)
	if err != nil {
		return nil, err
	}
	responses, err := flow.Within(k, askTime, func() (mcp.InputResponses, error) {
		return k.ask([]mcp.InputRequest{{Key: "answer", Ask: ask}})
	})
	if _, form := ask.(mcp.Elicit); form && errors.Is(err, flow.ErrTimeout) {
		return limit.MustMarshal(map[string]string{"action": mcp.Cancel}), nil
	}
	if err != nil {
		return nil, err
	}
	return json.RawMessage(responses[0].Value.JSON()), nil
}
