// Package stream is the durable chunk log. A stream is a list of chunks. Each chunk has one number
// that never changes: its index (invariant I5). Chunks that were appended together share a row.
// Milestones have their places between chunks.
package stream

import (
	"iter"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Schema is the log's tables. A row holds count chunks, beginning with index first, one on each
// line. A body is JSON without line breaks.
var Schema = durable.Schema{Component: "stream", Steps: steps, Parts: steps}

var steps = []string{
	`CREATE TABLE chunk (
		stream INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, body TEXT NOT NULL,
		PRIMARY KEY (stream, first)) WITHOUT ROWID`,
	`CREATE TABLE milestone (
		stream INTEGER NOT NULL, n INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL,
		PRIMARY KEY (stream, n)) WITHOUT ROWID`,
}

// Limits of the log, in bytes.
const (
	// MaxChunk is the longest chunk that can be appended.
	MaxChunk = limit.Chunk
	// maxRow keeps a row below the platform's 2 MB.
	maxRow = MaxChunk + 200_000
)

// ID names a stream within its object.
type ID int64

// Chunk is one entry of the log.
type Chunk struct {
	Index int64
	Body  []byte
}

// Append adds bodies at the end of the stream and returns the next index after them. The caller
// passes the stream's next index. Each body is one line of at most [MaxChunk] bytes.
func Append(tx *durable.Tx, id ID, next int64, bodies ...[]byte) int64 {
	var row strings.Builder
	first := next
	flush := func() {
		if next > first {
			tx.SQL(`INSERT OR REPLACE INTO chunk (stream, first, count, body) VALUES (?, ?, ?, ?)`, int64(id), first, next-first, row.String())
		}
		row.Reset()
		first = next
	}
	for _, body := range bodies {
		if len(body) > MaxChunk {
			panic("stream: chunk beyond MaxChunk")
		}
		if row.Len()+len(body) > maxRow {
			flush()
		}
		if row.Len() > 0 {
			row.WriteByte('\n')
		}
		row.Write(body)
		next++
	}
	flush()
	return next
}

// Next reads from storage which index the next chunk will have.
func Next(tx *durable.Tx, id ID) int64 {
	for _, row := range tx.SQL(`SELECT first + count FROM chunk WHERE stream = ? AND typeof(first) = 'integer' ORDER BY first DESC LIMIT 1`, int64(id)) {
		return row.Int(0)
	}
	return 0
}

// Read returns the chunks from index from on, in order, and whether there are more. It reads rows
// until budget bytes are reached, and returns at least one chunk if there is one.
func Read(tx *durable.Tx, id ID, from int64, budget int) (chunks []Chunk, more bool) {
	const row = `SELECT first, body, EXISTS (SELECT 1 FROM chunk AS c WHERE c.stream = chunk.stream AND c.first > chunk.first AND typeof(c.first) = 'integer')
		FROM chunk WHERE stream = ? AND `
	rows := tx.SQL(row+`first >= (SELECT COALESCE(MAX(first), 0) FROM chunk WHERE stream = ? AND first <= ? AND typeof(first) = 'integer')
		AND first + count > ? AND typeof(first) = 'integer' ORDER BY first LIMIT 1`, int64(id), int64(id), from, from)
	for len(rows) > 0 {
		first, body := rows[0].Int(0), rows[0].Text(1)
		index := first
		for line := range strings.SplitSeq(body, "\n") {
			if index >= from {
				chunks = append(chunks, Chunk{Index: index, Body: []byte(line)})
			}
			index++
		}
		if index > from { // unless the row is damaged
			from = index
			budget -= len(body)
		}
		if more = rows[0].Bool(2); !more || budget <= 0 {
			return chunks, more
		}
		rows = tx.SQL(row+`first > ? AND typeof(first) = 'integer' ORDER BY first LIMIT 1`, int64(id), first)
	}
	return chunks, false
}

// All returns the chunks from index from on, in order. It reads them a megabyte at a time, as the
// caller takes them.
func All(tx *durable.Tx, id ID, from int64) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for more := true; more; {
			var chunks []Chunk
			chunks, more = Read(tx, id, from, 1<<20)
			for _, c := range chunks {
				if !yield(c) {
					return
				}
				from = c.Index + 1
			}
		}
	}
}

// Size returns how many bytes a stream holds.
func Size(tx *durable.Tx, id ID) int {
	return int(tx.Number(`SELECT COALESCE(SUM(LENGTH(CAST(body AS BLOB))), 0) FROM chunk WHERE stream = ?`, int64(id)))
}

// Delete frees a stream.
func Delete(tx *durable.Tx, id ID) {
	tx.SQL(`DELETE FROM chunk WHERE stream = ?`, int64(id))
	tx.SQL(`DELETE FROM milestone WHERE stream = ?`, int64(id))
}

// DeleteExcept frees every stream but the given ones.
func DeleteExcept(tx *durable.Tx, kept []ID) {
	list := string(limit.MustMarshal(append([]ID{}, kept...))) // a list, never null
	tx.SQL(`DELETE FROM chunk WHERE stream NOT IN (SELECT value FROM json_each(?))`, list)
	tx.SQL(`DELETE FROM milestone WHERE stream NOT IN (SELECT value FROM json_each(?))`, list)
}
