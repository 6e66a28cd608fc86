package abi

import "github.com/tributary-agents/tributary/durable"

// MaxStatements is how many texts of statements an instance numbers at most.
const MaxStatements = 512

// Statement is what the guest passes to the import sql.
type Statement struct {
	// SQL is the text. It is empty if the host has it already, under Number.
	SQL string
	// Number is 0 for a text that crosses each time. The texts that cross once are numbered from 1,
	// in their order, within an instance.
	Number int
	Args   []any
}

// Result is what sql returns: rows, or an error text.
type Result struct {
	Error string
	Rows  []durable.Row
}

// Encode returns the bytes of s: a list of text, number and the list of arguments.
func (s Statement) Encode() []byte { return s.Append(nil) }

// Append appends the bytes of s to b.
func (s Statement) Append(b []byte) []byte {
	c := codec{writing: true, w: writer{out: b}}
	s.fields(&c)
	return c.w.out
}

// DecodeStatement decodes the bytes of [Statement.Encode]. Its error wraps [ErrMalformed].
func DecodeStatement(data []byte) (s Statement, err error) {
	c := codec{r: reader{data: data}}
	s.fields(&c)
	return s, c.end()
}

func (s *Statement) fields(c *codec) {
	c.fixed(3)
	text(c, &s.SQL)
	integer(c, &s.Number)
	list(c, &s.Args)
	sqlValues(c, s.Args)
}

// Encode returns the bytes of r: a list of the error and the list of rows, each
// a list of values.
func (r Result) Encode() []byte {
	c := codec{writing: true}
	r.fields(&c)
	return c.w.out
}

// DecodeResult decodes the bytes of [Result.Encode] or of a host in another language. Its error
// wraps [ErrMalformed].
func DecodeResult(data []byte) (r Result, err error) {
	c := codec{r: reader{data: data}}
	r.fields(&c)
	return r, c.end()
}

func (r *Result) fields(c *codec) {
	c.fixed(2)
	text(c, &r.Error)
	list(c, &r.Rows)
	if c.writing {
		for _, row := range r.Rows {
			c.w.list(len(row))
			sqlValues(c, row)
		}
	} else {
		readRows(c, r.Rows)
	}
}

// readRows reads rows of usually equal length. All rows share the memory of their values.
func readRows(c *codec, rows []durable.Row) {
	var shared []any
	for i := range rows {
		n := c.r.list()
		if n == 0 {
			continue
		}
		if n > len(shared) {
			shared = make([]any, min(n*(len(rows)-i), c.r.left()))
		}
		rows[i], shared = shared[:n:n], shared[n:]
		sqlValues(c, rows[i])
	}
}

// sqlValues walks values of SQL: nil, integers, floats, texts and blobs. JavaScript has one kind of
// number, and writes whole numbers as integers.
func sqlValues(c *codec, all []any) {
	for i := range all {
		if c.writing {
			c.w.value(all[i])
		} else {
			all[i] = c.r.value()
		}
	}
}
