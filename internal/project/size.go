package project

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
)

// The platform's limits for a Worker, compressed, in bytes.
const (
	paidLimit = 10_000_000
	freeLimit = 3_000_000
)

// checkSizes compares the modules of a build with the platform's limits: both together with that of
// one Worker, and each with that of the Free plan, for which they are two Workers.
func (p Project) checkSizes() error {
	sum := 0
	for _, name := range []string{agentsModule, doorModule} {
		size, err := zipped(p.path(name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		if size > freeLimit {
			p.say("%s has %s compressed, and a Worker of the Free plan may have %s", name, megabytes(size), megabytes(freeLimit))
		}
		sum += size
	}
	if sum > paidLimit {
		return fmt.Errorf("the Worker has %s compressed, and the platform takes at most %s: import less", megabytes(sum), megabytes(paidLimit))
	}
	return nil
}

// fitsFree refuses a module, with the runtime beside it, that a Worker of the Free plan may not have.
func (p Project) fitsFree(name string) error {
	size := 0
	for _, part := range []string{name, runtimeFile} {
		n, err := zipped(p.path(part))
		if err != nil {
			return err
		}
		size += n
	}
	if size > freeLimit {
		return fmt.Errorf("the Worker of %s has %s compressed, and the Free plan takes at most %s: import less", name, megabytes(size), megabytes(freeLimit))
	}
	return nil
}

func megabytes(size int) string { return fmt.Sprintf("%.2f MB", float64(size)/1e6) }

// zipped returns the compressed size of a file.
func zipped(path string) (int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		return 0, err
	}
	err = w.Close()
	return b.Len(), err
}
