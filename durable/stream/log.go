// Package stream is the durable chunk log. A stream is a list of chunks. Each chunk has one number
// that never changes: its index (invariant I5). Chunks share a row until the row is full.
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
	// fullRow is the size from which on nothing is added to a row. Each addition writes the whole row
	// again.
	fullRow = 16 << 10
	// maxAppended is how much is added to a row at once, unless it is one chunk. It keeps a row below
	// the platform's 2 MB.
	maxAppended = MaxChunk + 200_000
	// maxRows is how many rows are read at once.
	maxRows = 256
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
			appendRow(tx, id, first, next-first, row.String())
		}
		row.Reset()
		first = next
	}
	for _, body := range bodies {
		if len(body) > MaxChunk {
			panic("stream: chunk beyond MaxChunk")
		}
		if row.Len()+len(body) > maxAppended {
			flush()
		}
		if row.Len() > 0 {
			row.WriteByte('\n')
		}
		row.Write(body)
		next++
	}
	flush()
	durable.Kept[followed](tx).add(id, next-int64(len(bodies)), bodies)
	return next
}

// appendRow adds count chunks to the last row of a stream, or in a new row if that one is full. A
// row that ends elsewhere than at first is damaged, and is left alone.
func appendRow(tx *durable.Tx, id ID, first, count int64, lines string) {
	tx.SQL(`INSERT INTO chunk (stream, first, count, body) VALUES (?, COALESCE((SELECT first FROM
			(SELECT first, count, octet_length(body) AS size FROM chunk WHERE stream = ? AND typeof(first) = 'integer' ORDER BY first DESC LIMIT 1)
			WHERE count > 0 AND first + count = ? AND size < ?), ?), ?, ?)
		ON CONFLICT (stream, first) DO UPDATE SET
			count = IIF(first < ?, count, 0) + excluded.count, body = IIF(first < ?, body || char(10), '') || excluded.body`,
		int64(id), int64(id), first, fullRow, first, count, lines, first, first)
}

// Next reads from storage which index the next chunk will have.
func Next(tx *durable.Tx, id ID) int64 {
	return tx.Number(`SELECT `+NextExpression("?"), int64(id))
}

// NextExpression returns the SQL expression for [Next], given one for the number of the stream.
func NextExpression(stream string) string {
	return `COALESCE((SELECT first + count FROM chunk WHERE stream = ` + stream + ` AND typeof(first) = 'integer' ORDER BY first DESC LIMIT 1), 0)`
}

// Read returns the chunks from index from on, in order, and whether there are more. It reads rows
// until budget bytes are reached, and returns at least one chunk if there is one. Of a stream that
// is followed it returns what has been appended since the last Read, and reads no rows.
func Read(tx *durable.Tx, id ID, from int64, budget int) (chunks []Chunk, more bool) {
	t := durable.Kept[followed](tx).logs[id]
	if chunks, ok := t.take(from, budget); ok {
		return chunks, false
	}
	if chunks, more = readRows(tx, id, from, budget); t != nil && !more {
		if n := len(chunks); n > 0 {
			from = chunks[n-1].Index + 1
		}
		*t = tail{known: true, next: from}
	}
	return chunks, more
}

// readRows is [Read] for a stream that is not followed.
func readRows(tx *durable.Tx, id ID, from int64, budget int) (chunks []Chunk, more bool) {
	rows := tx.SQL(`SELECT first, octet_length(body) FROM chunk
		WHERE stream = ? AND first >= (SELECT COALESCE(MAX(first), 0) FROM chunk WHERE stream = ? AND first <= ? AND typeof(first) = 'integer')
			AND first + count > ? AND typeof(first) = 'integer' ORDER BY first LIMIT ?`, int64(id), int64(id), from, from, maxRows+1)
	if len(rows) == 0 {
		return nil, false
	}
	n := 0
	for n < min(len(rows), maxRows) && (n == 0 || budget > 0) {
		budget -= int(rows[n].Int(1))
		n++
	}
	for _, row := range tx.SQL(`SELECT first, body FROM chunk WHERE stream = ? AND first BETWEEN ? AND ? AND typeof(first) = 'integer' ORDER BY first`,
		int64(id), rows[0].Int(0), rows[n-1].Int(0)) {
		chunks, from = appendChunks(chunks, row.Int(0), row.Text(1), from)
	}
	if n == len(rows) {
		return chunks, false
	}
	if len(chunks) == 0 { // the rows are damaged
		return readRows(tx, id, rows[n].Int(0), budget)
	}
	return chunks, true
}

// appendChunks appends the chunks of a row from index from on, and returns the index after them.
func appendChunks(chunks []Chunk, first int64, body string, from int64) (all []Chunk, next int64) {
	index := first
	for line := range strings.SplitSeq(body, "\n") {
		if index >= from {
			chunks = append(chunks, Chunk{Index: index, Body: []byte(line)})
		}
		index++
	}
	return chunks, max(from, index)
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

// Sizes returns how many bytes the streams from first to last hold. A stream without chunks is left
// out.
func Sizes(tx *durable.Tx, first, last ID) map[ID]int {
	sizes := map[ID]int{}
	for _, row := range tx.SQL(`SELECT stream, SUM(octet_length(body)) FROM chunk WHERE stream BETWEEN ? AND ? GROUP BY stream`, int64(first), int64(last)) {
		sizes[ID(row.Int(0))] = int(row.Int(1))
	}
	return sizes
}

// Whole returns all chunks of the streams from first to last, in order. The caller has bounded their
// [Sizes].
func Whole(tx *durable.Tx, first, last ID) [][]Chunk {
	whole := make([][]Chunk, last-first+1)
	for _, row := range tx.SQL(`SELECT stream, first, body FROM chunk WHERE stream BETWEEN ? AND ? AND typeof(first) = 'integer' ORDER BY stream, first`,
		int64(first), int64(last)) {
		chunks := &whole[ID(row.Int(0))-first]
		var from int64
		if n := len(*chunks); n > 0 {
			from = (*chunks)[n-1].Index + 1
		}
		*chunks, _ = appendChunks(*chunks, row.Int(1), row.Text(2), from)
	}
	return whole
}

// Delete frees a stream.
func Delete(tx *durable.Tx, id ID) {
	Unfollow(tx, id)
	tx.SQL(`DELETE FROM chunk WHERE stream = ?`, int64(id))
	tx.SQL(`DELETE FROM milestone WHERE stream = ?`, int64(id))
}

// DeleteExcept frees every stream but the given ones.
func DeleteExcept(tx *durable.Tx, kept []ID) {
	for _, t := range durable.Kept[followed](tx).logs {
		*t = tail{}
	}
	list := string(limit.MustMarshal(append([]ID{}, kept...))) // a list, never null
	tx.SQL(`DELETE FROM chunk WHERE stream NOT IN (SELECT value FROM json_each(?))`, list)
	tx.SQL(`DELETE FROM milestone WHERE stream NOT IN (SELECT value FROM json_each(?))`, list)
}
