package project

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/internal/project/strip"
)

// The platform's limits for a Worker, compressed, in bytes.
const (
	paidLimit = 10_000_000
	freeLimit = 3_000_000
)

// checkSizes compares the modules of a build with the platform's limits: all of them with that of one
// Worker, and those of each half with that of the Free plan, for which they are two Workers.
func (p Project) checkSizes() error {
	sum := 0
	for _, half := range [][]string{{agentsModule, engineFile}, {doorModule}} {
		size, err := p.zipped(half...)
		if err != nil {
			return err
		}
		sum += size
		if size > freeLimit && half[0] == agentsModule {
			if size, err = p.strippedSize(size); err != nil {
				return err
			}
		}
		if size > freeLimit {
			p.say("%s has %s compressed, and a Worker of the Free plan may have %s", strings.Join(p.there(half), " with "), megabytes(size), megabytes(freeLimit))
		}
	}
	if sum > paidLimit {
		return fmt.Errorf("the Worker has %s compressed, and the platform takes at most %s: import less", megabytes(sum), megabytes(paidLimit))
	}
	return nil
}

// strippedSize returns what is left of the compressed size of the agents' half once their module is
// stripped, as the Free plan gets it.
func (p Project) strippedSize(size int) (int, error) {
	whole, err := os.ReadFile(p.path(agentsModule))
	if err != nil {
		return 0, err
	}
	stripped, err := strip.Module(whole)
	if err != nil { // it is deployed whole
		return size, nil
	}
	return size - gzipSize(whole) + gzipSize(stripped), nil
}

// fitsFree refuses modules, with the runtime beside them, that a Worker of the Free plan may not have.
func (p Project) fitsFree(modules ...string) error {
	size, err := p.zipped(append(modules, runtimeFile)...)
	if err != nil {
		return err
	}
	if size > freeLimit {
		return fmt.Errorf("the Worker of %s has %s compressed, and the Free plan takes at most %s: import less",
			strings.Join(p.there(modules), " and "), megabytes(size), megabytes(freeLimit))
	}
	return nil
}

func megabytes(size int) string { return fmt.Sprintf("%.2f MB", float64(size)/1e6) }

// there returns those of some files that the build has.
func (p Project) there(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, err := os.Stat(p.path(name))
		return errors.Is(err, fs.ErrNotExist)
	})
}

// zipped returns the compressed size of some files together. Those that the build does not have take
// nothing.
func (p Project) zipped(names ...string) (int, error) {
	sum := 0
	for _, name := range p.there(names) {
		size, err := zipped(p.path(name))
		if err != nil {
			return 0, err
		}
		sum += size
	}
	return sum, nil
}

// zipped returns the compressed size of a file.
func zipped(path string) (int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return gzipSize(data), nil
}

// gzipSize returns the compressed size of some bytes.
func gzipSize(data []byte) int {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data) // a buffer takes everything
	_ = w.Close()
	return b.Len()
}
