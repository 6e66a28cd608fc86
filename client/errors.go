package client

import (
	"errors"
	"fmt"
)

// The reasons why a server refuses a conversation. A [*CloseError] and a [*StatusError] match them
// with [errors.Is].
var (
	ErrUnauthorized = errors.New("client: no valid token")                   // 401: there is none, or it has expired
	ErrForbidden    = errors.New("client: the token is not for this")        // 403
	ErrNotFound     = errors.New("client: not found")                        // 404
	ErrBadRequest   = errors.New("client: the server refuses the address")   // 400: an unknown agent, or a bad name
	ErrUnavailable  = errors.New("client: the server is not available")      // 503, or too many connections
	ErrClosed       = errors.New("client: the conversation is closed")       // by Close
	ErrLost         = errors.New("client: the connection is lost")           // after all attempts of Options.Backoff
	ErrTooLarge     = errors.New("client: larger than the limit")            // of Options.MaxFrame, or the server's
	ErrIdle         = errors.New("client: no answer is under way")           // from Attach
	ErrFollowed     = errors.New("client: the answer is followed already")   // from Attach, in this conversation
	ErrStopped      = errors.New("client: the answer was stopped")           // by Stop, or by somebody else
	ErrSkipped      = errors.New("client: the question was skipped")         // a later one took its place
	ErrGone         = errors.New("client: the answer is no longer stored")   // the conversation was cleared
	ErrInterrupted  = errors.New("client: the connection broke during this") // a call that may have run
)

// CloseError says that the server has closed the connection. Codes from 4000 to 4999 and 1008 are
// final; 4000 plus an HTTP status is how the server refuses a connection.
type CloseError struct {
	Code   int // of the close frame
	Reason string
}

func (e *CloseError) Error() string {
	return fmt.Sprintf("client: the server has closed the connection: %d %s", e.Code, e.Reason)
}

// Is says whether the code means one of the reasons above.
func (e *CloseError) Is(target error) bool {
	if e.Code == 1013 {
		return target == ErrUnavailable
	}
	return isStatus(e.Code-4000, target)
}

func (e *CloseError) final() bool { return e.Code == 1008 || e.Code >= 4000 && e.Code < 5000 }

// StatusError says that the server has answered a request with an HTTP status other than 200.
type StatusError struct {
	Status int
	Text   string // of the answer, at most 1 kB
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("client: the server answers %d %s", e.Status, e.Text)
}

// Is says whether the status means one of the reasons above.
func (e *StatusError) Is(target error) bool { return isStatus(e.Status, target) }

func (e *StatusError) final() bool {
	return e.Status >= 400 && e.Status < 500 && e.Status != 408 && e.Status != 429
}

var statuses = map[int]error{400: ErrBadRequest, 401: ErrUnauthorized, 403: ErrForbidden, 404: ErrNotFound, 503: ErrUnavailable}

func isStatus(status int, target error) bool {
	want, known := statuses[status]
	return known && target == want
}

// TurnError says that an answer has failed: the model did not answer, or a limit was reached.
type TurnError struct {
	Message string // for people
}

func (e *TurnError) Error() string { return "client: the answer has failed: " + e.Message }

// CallError is the error of an agent's method. The wire has no code for it, only the text.
type CallError struct {
	Method  string
	Message string
}

func (e *CallError) Error() string { return fmt.Sprintf("client: %s: %s", e.Method, e.Message) }

// isFinal says whether another attempt to connect would end in the same way.
func isFinal(err error) bool {
	var closed *CloseError
	var status *StatusError
	return errors.As(err, &closed) && closed.final() || errors.As(err, &status) && status.final() || errors.Is(err, ErrTooLarge)
}
