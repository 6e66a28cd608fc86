package pack

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"
)

// Writer writes values, each in its shortest form. Memory does not fail, so no method has an error.
type Writer struct {
	out bytes.Buffer
	to  *msgpack.Encoder
}

// NewWriter returns a writer.
func NewWriter() *Writer {
	w := &Writer{}
	w.to = msgpack.NewEncoder(&w.out)
	return w
}

// Data returns what was written.
func (w *Writer) Data() []byte { return w.out.Bytes() }

// Nil writes a nil.
func (w *Writer) Nil() { must(w.to.EncodeNil()) }

// Bool writes a boolean.
func (w *Writer) Bool(b bool) { must(w.to.EncodeBool(b)) }

// Int writes a whole number. One that is not negative has the form that Uint writes.
func (w *Writer) Int(n int64) { must(w.to.EncodeInt(n)) }

// Uint writes a whole number.
func (w *Writer) Uint(n uint64) { must(w.to.EncodeUint(n)) }

// Float writes a fraction of 64 bits.
func (w *Writer) Float(f float64) { must(w.to.EncodeFloat64(f)) }

// Text writes a text.
func (w *Writer) Text(s string) { must(w.to.EncodeString(s)) }

// Bytes writes bytes. Nil are no bytes, and not a nil.
func (w *Writer) Bytes(b []byte) {
	must(w.to.EncodeBytesLen(len(b)))
	w.out.Write(b)
}

// List writes the head of a list.
func (w *Writer) List(n int) { must(w.to.EncodeArrayLen(n)) }

// Map writes the head of a map.
func (w *Writer) Map(n int) { must(w.to.EncodeMapLen(n)) }

func must(err error) {
	if err != nil {
		panic("pack: " + err.Error())
	}
}
