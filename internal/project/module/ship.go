package module

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tributary-agents/tributary/internal/section"
	"github.com/tributary-agents/tributary/wasm/snapshot"
)

// Linked returns where the linker leaves a module that is shipped as output. The go command knows by this file
// that it is up to date.
func Linked(output string) string {
	return filepath.Join(filepath.Dir(output), "linked", filepath.Base(output))
}

// Merge writes a linked module with its data in few pieces. The linker leaves a hundred thousand, and their
// headers do not compress.
func Merge(linked, output string) error {
	code, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	merged, err := merge(code)
	if err != nil {
		return fmt.Errorf("%s: %w", linked, err)
	}
	return Put(output, merged)
}

func merge(code []byte) ([]byte, error) {
	m, err := section.Split(code)
	if err != nil {
		return nil, err
	}
	data, err := m.Data()
	if err != nil {
		return nil, err
	}
	m.SetData(section.Segments(section.Image(data)))
	return m.Join(), nil
}

// Start writes the snapshot of a linked module of agents. If there is none, whole says why, and the module is
// written with its data merged. It does nothing if the output was made of these bytes.
func Start(ctx context.Context, linked, output string) (whole error, err error) {
	code, err := os.ReadFile(linked)
	if err != nil {
		return nil, err
	}
	key, err := keyIn(filepath.Dir(linked))
	if err != nil {
		return nil, err
	}
	note := linked + ".sum"
	if reason, ok := made(note, code, key, output); ok {
		return reason, nil
	}
	out, err := snapshot.Take(ctx, code, key)
	if errors.Is(err, snapshot.ErrUnfit) {
		whole = err
		out, err = merge(code)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", linked, err)
	}
	if err := Put(output, out); err != nil {
		return nil, err
	}
	text := sumOf(code, key[:], out)
	if whole != nil {
		text += "\n" + whole.Error()
	}
	return whole, os.WriteFile(note, []byte(text), 0o644)
}

// made says whether an output was made of a module and a key, and why it is no snapshot, if it is none.
func made(note string, code []byte, key snapshot.Key, output string) (whole error, ok bool) {
	text, _ := os.ReadFile(note)
	out, err := os.ReadFile(output)
	sum, reason, _ := strings.Cut(string(text), "\n")
	if err != nil || sum != sumOf(code, key[:], out) {
		return nil, false
	}
	if reason != "" {
		whole = errors.New(reason)
	}
	return whole, true
}

// way is of how snapshots are made. Another one makes them anew.
const way = "1"

func sumOf(parts ...[]byte) string {
	sum := sha256.Sum256([]byte(way))
	for _, p := range parts {
		one := sha256.Sum256(p)
		sum = sha256.Sum256(append(sum[:], one[:]...))
	}
	return hex.EncodeToString(sum[:])
}

// keyFile keeps the key of a folder's snapshots. It stays, so that two builds give the same bytes.
const keyFile = "hash.key"

func keyIn(dir string) (key snapshot.Key, err error) {
	path := filepath.Join(dir, keyFile)
	text, err := os.ReadFile(path)
	if err == nil && len(text) == len(key) {
		return snapshot.Key(text), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	_, _ = rand.Read(key[:]) // it never fails
	return key, os.WriteFile(path, key[:], 0o600)
}

// Put writes a file and the folder that it is in, unless the file has these bytes already. Wrangler watches the files
// of a build, and other processes read them, so a file is whole at every moment.
func Put(path string, data []byte) error {
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	scratch := fmt.Sprintf("%s.%d", path, os.Getpid()) // another process may read it
	defer os.Remove(scratch)
	if err := os.WriteFile(scratch, data, 0o644); err != nil {
		return err
	}
	return os.Rename(scratch, path)
}
