package project

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
)

// The platform's limits for a Worker, in bytes: that of every plan for what is uploaded, and the old one of the Free plan
// for that compressed, which deploy --free keeps.
const (
	uploadLimit = 64 << 20
	freeLimit   = 3_000_000
)

// uploaded are the files of a build that a Worker consists of. The page is beside it, and has limits of its own.
var uploaded = []string{agentsModule, engineFile, doorModule, runtimeFile, "wasm_exec.js", "worker.js", "about.json"}

// checkSize refuses a build that the platform does not take, and says when nine tenths of the limit are reached.
func (p Project) checkSize() error {
	size := 0
	for _, name := range p.there(uploaded) {
		info, err := os.Stat(p.path(name))
		if err != nil {
			return err
		}
		size += int(info.Size())
	}
	switch {
	case size > uploadLimit:
		return fmt.Errorf("the Worker has %s, which is %s more than the %s that the platform takes: import less", mebibytes(size), mebibytes(size-uploadLimit), mebibytes(uploadLimit))
	case size*10 > uploadLimit*9:
		p.say("the Worker has %s, and the platform takes at most %s", mebibytes(size), mebibytes(uploadLimit))
	}
	return nil
}

// fitsFree refuses modules, with the runtime beside them, that a Worker of the Free plan may not have.
func (p Project) fitsFree(worker string, modules ...string) error {
	size, err := p.zipped(append(modules, runtimeFile)...)
	if err != nil {
		return err
	}
	if size > freeLimit {
		return fmt.Errorf("the Worker of the %s (%s) has %s compressed, which is %s more than the %s that the Free plan takes: import less, or deploy without --free",
			worker, strings.Join(p.there(modules), " and "), megabytes(size), megabytes(size-freeLimit), megabytes(freeLimit))
	}
	return nil
}

// mebibytes and megabytes return a size as the platform writes the limit that it is compared with. A size beyond a limit
// never reads as the limit itself.
func mebibytes(size int) string {
	return fmt.Sprintf("%.2f MiB", math.Ceil(float64(size)/(1<<20)*100)/100)
}
func megabytes(size int) string { return fmt.Sprintf("%.2f MB", math.Ceil(float64(size)/1e4)/100) }

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
