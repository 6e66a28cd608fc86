package agent

import (
	"fmt"
	"strings"
)

// Require returns a method that only callers with some scopes can call, see [Claims]. Others are told
// which scope they lack. The methods of this package ask for no scope by themselves: each says for whose
// claims it works, and what it can begin.
//
//	Methods: map[string]agent.Method{"restartRun": agent.Require(agent.RestartRun, "runs:restart")}
//
// It is for the method alone. What can be done in another way as well has a rule of its own: [Tool.Requires],
// [Tool.Approver] and [Agent.SignalScopes].
func Require(m Method, scopes ...string) Method {
	return func(call *Call) (any, error) {
		if missing := call.Claims().Missing(scopes); len(missing) > 0 {
			return nil, fmt.Errorf("the method needs the scope %s", strings.Join(missing, ", "))
		}
		return m(call)
	}
}
