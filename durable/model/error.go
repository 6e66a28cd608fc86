package model

import "fmt"

// Kind says what sort of failure an [Error] is.
type Kind string

// The kinds of failure.
const (
	// Misconfigured: the deployment's settings cannot work.
	Misconfigured Kind = "misconfigured"
	// Rejected: the provider understood and said no; asking again is no use.
	Rejected Kind = "rejected"
	// RateLimited: too many requests (429); see Error.RetryAfter.
	RateLimited Kind = "rate-limited"
	// Unavailable: the provider cannot answer now (5xx, no connection).
	Unavailable Kind = "unavailable"
	// CutOff: the answer's stream ended before the answer did.
	CutOff Kind = "cut-off"
	// Garbled: the provider sent what cannot be understood.
	Garbled Kind = "garbled"
)

// Error is how a model fails. Its text is made to be shown to the person who
// asked, and never holds a secret.
type Error struct {
	Kind    Kind
	Message string
	// Status is the provider's HTTP status, or 0.
	Status int
	// RetryAfter is how long the provider asks to wait, in milliseconds, or 0.
	RetryAfter int64
}

func (e *Error) Error() string { return e.Message }

// Retryable says whether the same request may well succeed later.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case RateLimited, Unavailable, CutOff:
		return true
	}
	return false
}

// Garbledf returns an error of the kind [Garbled]. Text of the provider's in it has to go
// through [Quote].
func Garbledf(format string, args ...any) *Error {
	return &Error{Kind: Garbled, Message: fmt.Sprintf(format, args...)}
}

// Misconfiguredf returns an error of the kind [Misconfigured]. It says which setting cannot
// work, and what to set instead.
func Misconfiguredf(format string, args ...any) *Error {
	return &Error{Kind: Misconfigured, Message: fmt.Sprintf(format, args...)}
}
