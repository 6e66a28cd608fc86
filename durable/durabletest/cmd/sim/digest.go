package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/subject"
	"github.com/tributary-agents/tributary/internal/progress"
)

// These are relative to the root of the repository. The file has the sum of each transcript: a change that is meant to
// change nothing that anybody sees, such as a new name or another place, leaves it as it is.
const (
	digestFile  = "build/digest.sums"
	scriptFiles = "durable/durabletest/sim/testdata/*.txt"
)

// digested is how many seeds have a sum, from 1 on.
const digested = 2000

// digest compares the sums of all transcripts with those in the file, and says whether any differs. If update is set, it
// writes the file.
func digest(update bool) (differs bool, err error) {
	sums, err := scriptSums()
	if err != nil {
		return false, err
	}
	worlds := progress.NewWorlds()
	line := progress.Begin(os.Stdout, worlds.String)
	runner := func() sim.Runner {
		s := subject.Native()
		return func(n uint32) sim.Result { return sim.Run(s, n) }
	}
	all := sim.RunWhile(runner, 1, func(n int) bool { return n < digested }, func(r sim.Result) bool {
		sums[fmt.Sprintf("seed %04d", r.Script.Seed)] = r.Sum
		worlds.Done(r.Failure != nil)
		return true
	})
	line.End()
	fmt.Printf("%s\n%s\n", worlds, all)
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&text, "%s\t%s\n", name, sums[name])
	}
	fmt.Printf("digest: %x\n", sha256.Sum256(text.Bytes()))
	if update {
		err := errors.Join(os.MkdirAll(filepath.Dir(digestFile), 0o755), os.WriteFile(digestFile, text.Bytes(), 0o644))
		return all.Failed > 0, err
	}
	before, err := os.ReadFile(digestFile)
	if err != nil {
		return false, fmt.Errorf("%w: run -digest -write before the change", err)
	}
	return printChanged(string(before), sums) || all.Failed > 0, nil
}

// printChanged prints what has another sum than in the text of a file, and says whether there is any.
func printChanged(before string, sums map[string]string) bool {
	was := map[string]string{}
	for line := range strings.Lines(before) {
		name, sum, _ := strings.Cut(strings.TrimSpace(line), "\t")
		was[name] = sum
	}
	changed := 0
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if sums[name] != was[name] {
			fmt.Println("changed:", name)
			changed++
		}
		delete(was, name)
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		fmt.Println("gone:", name)
	}
	return changed+len(was) > 0
}

// scriptSums runs all scripts.
func scriptSums() (map[string]string, error) {
	files, err := filepath.Glob(scriptFiles)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no script is named %s: run it in the root of the repository", scriptFiles)
	}
	sums, native := map[string]string{}, subject.Native()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s, err := sim.ParseScript(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		name := "script " + strings.TrimSuffix(filepath.Base(file), ".txt")
		sums[name] = sim.Replay(native, s, nil).Sum
	}
	return sums, nil
}
