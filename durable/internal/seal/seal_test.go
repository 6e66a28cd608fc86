package seal

import (
	"bytes"
	"crypto/aes"
	stdcipher "crypto/cipher"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/sha256"
)

// chance returns bytes that look like chance, the same ones for the same numbers.
func chance(size int, of ...any) []byte {
	var out []byte
	for i := 0; len(out) < size; i++ {
		sum := sha256.Sum(fmt.Appendf(nil, "%d of %v", i, of))
		out = append(out, sum[:]...)
	}
	return out[:size]
}

// TestSealIsGCM compares sealed texts of all lengths around those of a block with crypto/cipher.
func TestSealIsGCM(t *testing.T) {
	for n := range 200 {
		key, nonce := [KeySize]byte(chance(KeySize, "key", n)), [NonceSize]byte(chance(NonceSize, "nonce", n))
		text := chance(n, "text")
		block, err := aes.NewCipher(key[:])
		if err != nil {
			t.Fatal(err)
		}
		gcm, err := stdcipher.NewGCM(block)
		if err != nil {
			t.Fatal(err)
		}
		got, want := Seal(key, nonce, text), gcm.Seal(nonce[:], nonce[:], text, nil)
		if !bytes.Equal(got, want) {
			t.Fatalf("a text of %d bytes: got %x, want %x", n, got, want)
		}
		if opened, ok := Open(key, want); !ok || !bytes.Equal(opened, text) {
			t.Errorf("a text of %d bytes is opened as %x, %v", n, opened, ok)
		}
	}
}

// TestOpenRefuses checks that nothing is opened of which a bit differs, or that another key has sealed.
func TestOpenRefuses(t *testing.T) {
	var key, other [KeySize]byte
	other[31] = 1
	sealed := Seal(key, [NonceSize]byte{1}, []byte("a text of more than one block"))
	if _, ok := Open(other, sealed); ok {
		t.Error("another key opens it")
	}
	for i := range len(sealed) * 8 {
		changed := bytes.Clone(sealed)
		changed[i/8] ^= 1 << (i % 8)
		if _, ok := Open(key, changed); ok {
			t.Errorf("it is opened with another bit %d", i)
		}
	}
	for n := range len(sealed) {
		if _, ok := Open(key, sealed[:n]); ok {
			t.Errorf("its first %d bytes are opened", n)
		}
	}
}

// FuzzSeal compares sealed texts with crypto/cipher.
func FuzzSeal(f *testing.F) {
	f.Add([]byte("text"), uint64(7))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		of := binary.BigEndian.AppendUint64(nil, seed)
		key, nonce := [KeySize]byte(chance(KeySize, "key", of)), [NonceSize]byte(chance(NonceSize, "nonce", of))
		block, _ := aes.NewCipher(key[:])
		gcm, _ := stdcipher.NewGCM(block)
		if got, want := Seal(key, nonce, text), gcm.Seal(nonce[:], nonce[:], text, nil); !bytes.Equal(got, want) {
			t.Errorf("got %x, want %x", got, want)
		}
	})
}
