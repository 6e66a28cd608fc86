package abi

import (
	"reflect"
	"testing"
)

// fuzz seeds a target with the valid bytes of all formats. It shows that decoding any other bytes
// neither panics nor accepts what the encoder would not write.
func fuzz[T any](f *testing.F, decode func([]byte) (T, error), encode func(T) []byte) {
	for _, v := range vectors() {
		var data []byte
		for i := 0; i < len(v.Hex); i += 2 {
			data = append(data, nibble(v.Hex[i])<<4|nibble(v.Hex[i+1]))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decode(data)
		if err != nil {
			return
		}
		again, err := decode(encode(got))
		if err != nil || !reflect.DeepEqual(encode(again), encode(got)) {
			t.Errorf("%x: got %+v, and encoded and decoded %+v, %v", data, got, again, err)
		}
	})
}

func nibble(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

func FuzzDecodeOccurrence(f *testing.F) { fuzz(f, DecodeOccurrence, Occurrence.Encode) }
func FuzzDecodeReply(f *testing.F)      { fuzz(f, DecodeReply, Reply.Encode) }
func FuzzDecodeStatement(f *testing.F)  { fuzz(f, DecodeStatement, Statement.Encode) }
func FuzzDecodeResult(f *testing.F)     { fuzz(f, DecodeResult, Result.Encode) }
