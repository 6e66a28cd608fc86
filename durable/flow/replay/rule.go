package replay

import (
	"go/types"
	"slices"
	"strings"
)

// The reasons for a refusal, each with what to use instead.
const (
	goroutine = "a goroutine cannot await, and is lost with its instance: use flow.Go"
	channel   = "waiting for a channel blocks every object of the instance: use flow.Go, and Branch.Wait"
	nested    = "what a step awaits is lost when the code is run again: await outside of it"
	storage   = "what it holds is another thing when this code is run again: use it in a flow.Step"
	order     = "a map has another order when this code is run again, and this loop awaits: range over slices.Sorted(maps.Keys(m))"
)

// reason gives the text of a refusal for each kind of code.
type reason map[kind]string

var (
	clock = reason{
		replayed: "the time is another one when this code is run again: use flow.Now",
		once:     "an event has one time: use tx.Now",
	}
	waiting = reason{
		replayed: "waiting blocks every object of the instance: use flow.Sleep, or flow.Within for a limit",
		once:     "waiting blocks every object of the instance, and a step takes no time: use flow.Sleep outside of it",
	}
	chance = reason{
		replayed: "chance is another one when this code is run again: use flow.Random",
		once:     "chance comes through the transaction: use tx.Random",
	}
	lock = reason{
		replayed: "one piece of code runs at a time, and one that waits blocks every object of the instance: there is nothing to lock",
	}
	files = reason{
		replayed: "there are no files and no environment where agents live: use storage in a flow.Step, or flow.Fetch",
	}
	network = reason{
		replayed: "the network is reached by awaiting: use flow.Fetch, or package transport",
		once:     "the network is reached by awaiting: use flow.Fetch, or package transport, outside of the step",
	}
)

func init() {
	for _, r := range []reason{lock, files} {
		r[once] = r[replayed]
	}
}

// refused returns the reason why code may not use an object of another package, or nil if it may.
func refused(o types.Object) reason {
	switch name := o.Name(); o.Pkg().Path() {
	case "time":
		return ofTime(o)
	case "context":
		if strings.HasPrefix(name, "WithTimeout") || strings.HasPrefix(name, "WithDeadline") {
			return waiting
		}
	case "math/rand", "math/rand/v2":
		if isFunction(o) && !strings.HasPrefix(name, "New") {
			return chance
		}
	case "crypto/rand":
		return chance
	case "sync":
		return lock
	case "os", "os/exec", "os/signal":
		if isFunction(o) || isVariable(o) && !strings.HasPrefix(name, "Err") {
			return files
		}
	case "net", "net/http":
		return ofNet(o)
	}
	return nil
}

func ofTime(o types.Object) reason {
	if !isFunction(o) {
		return nil
	}
	switch o.Name() {
	case "Now", "Since", "Until":
		return clock
	case "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick":
		return waiting
	}
	return nil
}

// ofNet refuses functions that reach the network, and accepts those that only parse addresses or
// headers. A method of an http.Client is accepted, because its transport decides, and package
// transport has a transport that awaits.
func ofNet(o types.Object) reason {
	name := o.Name()
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		by := strings.TrimPrefix(types.TypeString(f.Signature().Recv().Type(), func(*types.Package) string { return "" }), "*")
		if slices.Contains([]string{"Transport", "Server", "Dialer", "Resolver", "ListenConfig"}, by) {
			return network
		}
		return nil
	}
	for _, prefix := range []string{"Dial", "Listen", "Lookup", "Serve", "DefaultClient", "DefaultTransport", "DefaultResolver"} {
		if strings.HasPrefix(name, prefix) {
			return network
		}
	}
	if slices.Contains([]string{"Get", "Head", "Post", "PostForm"}, name) {
		return network
	}
	return nil
}

// isFunction says whether an object is a function and not a method.
func isFunction(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && f.Signature().Recv() == nil
}

func isVariable(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && !v.IsField()
}
