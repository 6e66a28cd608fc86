package tck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// NodeOptions are the settings of a [Node], with the meaning of those in [host.EngineOptions].
type NodeOptions struct {
	Seed              uint32
	InstancePerObject bool
	MaxMemory         int
	Trace             func(call string, bytes ...[]byte)
}

// Node is the shim under Node. It implements [durabletest.Engine]. Storage is Node's own SQLite, in
// memory.
type Node struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
	stderr  bytes.Buffer
	trace   func(call string, bytes ...[]byte)
	awake   []string
}

// NewNode starts a process for the module in the file at path.
func NewNode(path string, o NodeOptions) (*Node, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 48 << 20
	}
	mode := "shared"
	if o.InstancePerObject {
		mode = "object"
	}
	n := &Node{trace: o.Trace, process: exec.Command(filepath.Join(root, "node_modules", ".bin", "node"),
		"--disable-warning=ExperimentalWarning", filepath.Join(root, "wasm", "tck", "driver", "driver.ts"),
		path, strconv.FormatUint(uint64(o.Seed), 10), strconv.Itoa(o.MaxMemory), mode)}
	n.process.Stderr = &n.stderr
	if n.in, err = n.process.StdinPipe(); err != nil {
		return nil, err
	}
	if n.out, err = n.process.StdoutPipe(); err != nil {
		return nil, err
	}
	return n, n.process.Start()
}

// Step implements [durabletest.Engine]. If the event trapped, the commands returned with the error
// belong to the Opened before it, which has committed.
func (n *Node) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	var occurrence []byte
	if event != nil {
		occurrence = abi.Occurrence{At: at, Event: event}.Encode()
	}
	a, err := n.call("step", object, at, abi.Occurrence{At: at, Event: opened}.Encode(), occurrence)
	if err != nil {
		return nil, err
	}
	commands, err := a.commands()
	if err == nil && a.Error != "" {
		err = fmt.Errorf("tck: node: %s", a.Error)
	}
	return commands, err
}

// Evict implements [durabletest.Engine].
func (n *Node) Evict(object string) {
	if _, err := n.call("evict", object); err != nil {
		panic(err)
	}
}

// Awake implements [durabletest.Engine]. An object that the module has dropped to free memory
// counts as awake.
func (n *Node) Awake(object string) bool { return slices.Contains(n.awake, object) }

// Expire implements [durabletest.Engine].
func (n *Node) Expire(at int64) bool {
	before := len(n.awake)
	if _, err := n.call("expire", at); err != nil {
		panic(err)
	}
	return len(n.awake) < before
}

// Restart discards all instances, as a deployment does. Storage stays.
func (n *Node) Restart() error {
	_, err := n.call("restart")
	return err
}

// Reset discards all objects and restarts the random stream, like a new process, which takes far
// longer.
func (n *Node) Reset() error {
	_, err := n.call("reset")
	return err
}

// Close implements [durabletest.Engine].
func (n *Node) Close() error { return errors.Join(n.in.Close(), n.process.Wait()) }

// answer is the driver's answer to a call: an error or "", all calls that crossed the boundary
// (each with its name and the bytes that went in and out), the indexes of those that have
// committed, and the objects that are in memory now.
type answer struct {
	Error     string
	Trace     [][][]byte
	Committed []int
	Awake     []string
}

func (n *Node) call(verb string, params ...any) (answer, error) {
	frame, err := msgpack.Marshal(append([]any{verb}, params...))
	if err != nil {
		return answer{}, err
	}
	if _, err := n.in.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(frame))), frame...)); err != nil {
		return answer{}, n.died(err)
	}
	var head [4]byte
	if _, err := io.ReadFull(n.out, head[:]); err != nil {
		return answer{}, n.died(err)
	}
	body := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(n.out, body); err != nil {
		return answer{}, n.died(err)
	}
	var a answer
	if err := msgpack.Unmarshal(body, &a); err != nil {
		return answer{}, fmt.Errorf("tck: node's answer: %w", err)
	}
	n.awake = a.Awake
	for _, call := range a.Trace {
		if n.trace != nil {
			n.trace(string(call[0]), call[1:]...)
		}
	}
	return a, nil
}

func (n *Node) died(err error) error {
	return fmt.Errorf("tck: node: %w: %s", errors.Join(err, n.process.Wait()), n.stderr.String())
}

// commands returns the commands of the committed replies, in order.
func (a answer) commands() ([]durable.Command, error) {
	var commands []durable.Command
	for _, i := range a.Committed {
		reply, err := abi.DecodeReply(a.Trace[i][2])
		if err != nil {
			return nil, err
		}
		commands = append(commands, reply.Commands...)
	}
	return commands, nil
}
