package abi

import (
	"errors"
	"fmt"
)

// ErrMalformed is the error of every decoder of this package for invalid bytes. Nothing has
// happened then.
var ErrMalformed = errors.New("abi: malformed")

// codec walks the fields of one value, and either writes them or reads them. One walk serves both
// directions, so the two cannot differ. It stays on the stack: none of its functions takes a
// function.
type codec struct {
	writing bool
	w       writer
	r       reader
}

func text[T ~string](c *codec, v *T) {
	if c.writing {
		c.w.text(string(*v))
	} else {
		*v = T(c.r.text())
	}
}

func integer[T ~int | ~int64](c *codec, v *T) {
	if c.writing {
		c.w.integer(int64(*v))
	} else {
		*v = T(c.r.integer())
	}
}

func boolean(c *codec, v *bool) {
	if c.writing {
		c.w.boolean(*v)
	} else {
		*v = c.r.boolean()
	}
}

func blob(c *codec, v *[]byte) {
	if c.writing {
		c.w.blob(*v)
	} else {
		*v = c.r.blob()
	}
}

// list walks the head of a list. When it reads, it leaves room for as many elements in v.
func list[T any](c *codec, v *[]T) {
	if c.writing {
		c.w.list(len(*v))
	} else if n := c.r.list(); n > 0 {
		*v = make([]T, n)
	}
}

func texts[T ~string](c *codec, v *[]T) {
	list(c, v)
	for i := range *v {
		text(c, &(*v)[i])
	}
}

func table(c *codec, v *map[string]string) {
	if c.writing {
		c.w.table(*v)
	} else {
		*v = c.r.table()
	}
}

// fixed walks the head of a list whose length is known.
func (c *codec) fixed(n int) {
	if c.writing {
		c.w.list(n)
	} else if got := c.r.list(); got != n {
		c.r.fail(fmt.Errorf("list of %d elements, want %d", got, n))
	}
}

// versioned walks the head of a list of n elements that begins with the version, and returns the
// version of the writer. It checks the length for its own version only, because another version's
// list may be longer.
func (c *codec) versioned(n int) int {
	if c.writing {
		c.w.list(n)
		c.w.integer(Version)
		return Version
	}
	got, version := c.r.list(), int(c.r.integer())
	if version == Version && got != n {
		c.r.fail(fmt.Errorf("list of %d elements, want %d", got, n))
	}
	return version
}

// end returns the error of a reading, which must have come to the end of the bytes.
func (c *codec) end() error {
	if left := c.r.left(); left > 0 {
		c.r.fail(fmt.Errorf("%d bytes behind the end", left))
	}
	switch err := c.r.err.(type) {
	case nil, VersionError:
		return err
	default:
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
}
