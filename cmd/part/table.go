package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"
)

// kept is the file of what the parts took, one line of JSON a part.
var kept = filepath.Join("build", "parts.jsonl")

// taken is what a part took, and when it has begun. User and System are the CPU time of its processes.
type taken struct {
	Name               string
	Began              time.Time
	Wall, User, System time.Duration
}

func forget() error {
	if err := os.Remove(kept); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// note adds a part to the file.
func note(t taken) error {
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return err
	}
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(kept, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// printTable prints what the parts took, and what all of them took together. Parts may run side by side, so that time
// is the one from the first beginning to the last end.
func printTable(out io.Writer) error {
	f, err := os.Open(kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "part\ttime\tCPU, user\tsystem\t")
	row := func(t taken) {
		fmt.Fprintf(w, "%s\t%.0f s\t%.0f s\t%.0f s\t\n", t.Name, t.Wall.Seconds(), t.User.Seconds(), t.System.Seconds())
	}
	sum, first, last := taken{Name: "together"}, time.Time{}, time.Time{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var t taken
		if err := json.Unmarshal(s.Bytes(), &t); err != nil {
			return err
		}
		row(t)
		if first.IsZero() || t.Began.Before(first) {
			first = t.Began
		}
		if end := t.Began.Add(t.Wall); end.After(last) {
			last = end
		}
		sum.User += t.User
		sum.System += t.System
	}
	sum.Wall = last.Sub(first)
	row(sum)
	return w.Flush()
}
