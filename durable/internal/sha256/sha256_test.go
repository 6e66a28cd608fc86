package sha256

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

func TestSumOfEachLengthAroundBlocks(t *testing.T) {
	data := make([]byte, 5*blockSize)
	for i := range data {
		data[i] = byte(i * 7)
	}
	for n := range len(data) {
		if got, want := Sum(data[:n]), sha256.Sum256(data[:n]); got != want {
			t.Errorf("%d bytes: got %x, want %x", n, got, want)
		}
	}
}

func FuzzSum(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("abc"))
	f.Add(bytes.Repeat([]byte{0xff}, 1000))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, want := Sum(data), sha256.Sum256(data); got != want {
			t.Errorf("%x: got %x, want %x", data, got, want)
		}
	})
}
