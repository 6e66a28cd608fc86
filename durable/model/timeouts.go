package model

import (
	"cmp"
	"strconv"
	"time"
)

// The variables of a deployment that say how long a model call may take, in seconds. They hold for the
// agents that do not set a limit of their own.
const (
	// VarTimeout is [Timeouts.Call], VarIdleTimeout [Timeouts.Idle], and VarFirstByteTimeout
	// [Timeouts.FirstByte].
	VarTimeout          = "MODEL_TIMEOUT"
	VarIdleTimeout      = "MODEL_IDLE_TIMEOUT"
	VarFirstByteTimeout = "MODEL_FIRST_BYTE_TIMEOUT"
)

// Timeouts are the limits of one model call.
type Timeouts struct {
	// Call is how long the call may take in all.
	Call time.Duration
	// Idle is how long its server may send nothing once the answer has begun. Whatever comes counts:
	// words, thoughts, progress, comments and empty lines.
	Idle time.Duration
	// FirstByte is how long the first byte of the answer may take. The head of a response is none.
	FirstByte time.Duration
}

// The defaults of [Timeouts]. A first byte may take as long as any other, or DefaultFirstByte.
const (
	DefaultCall      = 30 * time.Minute
	DefaultIdle      = time.Minute
	DefaultFirstByte = 2 * time.Minute
)

// maxTimeout is the longest time that a variable may have, in seconds.
const maxTimeout = 24 * 60 * 60

// Timeouts returns the limits of a model call. Each is the agent's own, that of the variable, or the
// default, in this order. The error is an [*Error] of the kind [Misconfigured].
func (s Settings) Timeouts(own Timeouts) (Timeouts, error) {
	for _, limit := range []struct {
		of       *time.Duration
		variable string
		usual    func() time.Duration
	}{
		{&own.Call, VarTimeout, func() time.Duration { return DefaultCall }},
		{&own.Idle, VarIdleTimeout, func() time.Duration { return DefaultIdle }},
		{&own.FirstByte, VarFirstByteTimeout, func() time.Duration { return max(DefaultFirstByte, own.Idle) }},
	} {
		set, err := s.seconds(limit.variable)
		if err != nil {
			return Timeouts{}, err
		}
		*limit.of = cmp.Or(*limit.of, set, limit.usual())
	}
	return own, nil
}

// seconds returns the time that a variable says, or 0 if it is not set.
func (s Settings) seconds(name string) (time.Duration, error) {
	value := s.Value(name)
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxTimeout {
		return 0, misconfigured(name + ` is "` + Truncate(value, 60) + `"; set it to a whole number of seconds from 1 to ` + strconv.Itoa(maxTimeout))
	}
	return time.Duration(n) * time.Second, nil
}
