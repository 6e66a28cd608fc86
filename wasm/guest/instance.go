// Package guest is the module's side of the boundary. An [Instance] holds the in-memory parts of
// all objects of an isolate and turns bytes into steps. The files with the suffix _wasip1 are its
// exports and imports. Their twin lets everything else compile and run natively.
//
// A panic of an object is not recovered: it ends the instance. The host rolls the event back and
// goes on from storage in a new instance. The exception is [durable.NewerStorage], which an object
// panics with before it has done anything: it is refused.
package guest

import (
	"encoding/binary"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// Ports are an instance's access to the outside.
type Ports struct {
	// Storage is the storage of the object whose event is running.
	Storage durable.Storage
	Random  durable.Random
}

// Instance is a set of objects in memory, each under a handle that the host has chosen. It is for
// one caller at a time.
type Instance struct {
	ports   Ports
	classes map[string]durable.Class
	objects *cache
	output  []byte
}

// NewInstance returns an instance without objects that knows the given classes. It keeps the memory
// of its objects below budget bytes by dropping idle ones.
func NewInstance(ports Ports, budget int, classes ...durable.Class) *Instance {
	in := &Instance{ports: ports, classes: map[string]durable.Class{}, objects: newCache(budget)}
	for _, c := range classes {
		in.classes[c.Name] = c
	}
	return in
}

// Open makes an object from bytes that hold a [durable.Opened], and handles that event. It returns
// a reply behind its length, 4 bytes little-endian. These bytes are valid until the next call.
func (in *Instance) Open(handle uint32, data []byte) []byte {
	o, err := abi.DecodeOccurrence(data)
	if err != nil {
		return in.refuse(err)
	}
	opened, ok := o.Event.(durable.Opened)
	if !ok {
		return in.refuse(fmt.Errorf("guest: open with %T", o.Event))
	}
	class, ok := in.classes[opened.Class]
	if !ok {
		return in.refuse(fmt.Errorf("guest: no class %q", opened.Class))
	}
	if in.objects.get(handle) != nil {
		return in.refuse(fmt.Errorf("guest: object %d is open already", handle))
	}
	return in.open(handle, class, o)
}

// open makes an object, and refuses it if its storage is newer than the program.
func (in *Instance) open(handle uint32, class durable.Class, o abi.Occurrence) (reply []byte) {
	defer func() {
		p := recover()
		if newer, ok := p.(durable.NewerStorage); ok {
			in.objects.remove(handle)
			reply = in.reply(abi.Reply{Status: abi.Newer, Error: newer.Error()})
		} else if p != nil {
			panic(p)
		}
	}()
	return in.step(in.objects.add(handle, class.New()), o)
}

// Step handles one event of an object. It returns bytes as Open does.
func (in *Instance) Step(handle uint32, data []byte) []byte {
	o, err := abi.DecodeOccurrence(data)
	if err != nil {
		return in.refuse(err)
	}
	if _, ok := o.Event.(durable.Opened); ok {
		return in.refuse(fmt.Errorf("guest: step with %T", o.Event))
	}
	e := in.objects.get(handle)
	if e == nil {
		return in.reply(abi.Reply{Status: abi.Unopened})
	}
	return in.step(e, o)
}

// Close drops an object. An unknown handle is no error.
func (in *Instance) Close(handle uint32) { in.objects.remove(handle) }

func (in *Instance) step(e *entry, o abi.Occurrence) []byte {
	tx := durable.NewTx(o.At, in.ports.Storage, in.ports.Random)
	e.object.Step(tx, o.Event)
	in.objects.weigh(e)
	status := abi.Done
	if e.load.Watched {
		status = abi.Watched
	}
	return in.reply(abi.Reply{Status: status, Busy: e.load.Busy, Commands: tx.Commands()})
}

func (in *Instance) refuse(err error) []byte {
	return in.reply(abi.Reply{Status: abi.Refused, Error: err.Error()})
}

func (in *Instance) reply(r abi.Reply) []byte {
	in.output = r.Append(append(reuse(in.output), 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(in.output, uint32(len(in.output)-4))
	return in.output
}
