package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/stream"
)

func open(t *testing.T) *durable.Tx {
	t.Helper()
	tx := durable.NewTx(1, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, stream.Schema)
	return tx
}

func bodies(from, to int, size int) [][]byte {
	var list [][]byte
	for i := from; i < to; i++ {
		list = append(list, fmt.Appendf(nil, `{"n":%d,"pad":"%s"}`, i, strings.Repeat("x", size)))
	}
	return list
}

// TestIndexNeverChanges appends in pieces and reads from every cursor.
func TestIndexNeverChanges(t *testing.T) {
	tx := open(t)
	next := int64(0)
	for _, n := range []int{1, 3, 0, 2} {
		next = stream.Append(tx, 7, next, bodies(int(next), int(next)+n, 0)...)
	}
	if next != 6 || stream.Next(tx, 7) != 6 {
		t.Fatalf("next is %d, stored %d, want 6", next, stream.Next(tx, 7))
	}
	for from := range int64(8) {
		got, more := stream.Read(tx, 7, from, 1<<20)
		if want := max(6-from, 0); int64(len(got)) != want || more {
			t.Errorf("from %d: %d chunks, more %v; want %d", from, len(got), more, want)
		}
		for i, c := range got {
			if want := fmt.Sprintf(`{"n":%d,"pad":""}`, c.Index); c.Index != from+int64(i) || string(c.Body) != want {
				t.Errorf("from %d: chunk %d is %s at %d", from, i, c.Body, c.Index)
			}
		}
	}
}

// TestReadPages follows the pages of a stream that is larger than its budget.
func TestReadPages(t *testing.T) {
	tx := open(t)
	stream.Append(tx, 1, 0, bodies(0, 5, 700_000)...)
	stream.Append(tx, 2, 0, bodies(0, 1, 0)...)
	var seen, pages int
	for from, more := int64(0), true; more; pages++ {
		var page []stream.Chunk
		page, more = stream.Read(tx, 1, from, 1)
		for _, c := range page {
			if c.Index != int64(seen) {
				t.Fatalf("chunk %d, want %d", c.Index, seen)
			}
			seen++
			from = c.Index + 1
		}
	}
	if seen != 5 || pages != 5 {
		t.Errorf("%d chunks in %d pages, want 5 in 5", seen, pages)
	}
	stream.Delete(tx, 1)
	if stream.Next(tx, 1) != 0 || stream.Next(tx, 2) != 1 {
		t.Error("delete took the wrong stream")
	}
}

// TestMilestones shows that milestones stand between chunks, once each, and are deleted with their
// stream.
func TestMilestones(t *testing.T) {
	tx := open(t)
	for n, place := range []int64{0, 2, 2, 5} {
		stream.AppendMilestone(tx, 1, stream.Milestone{Sequence: int64(n), Place: place, Name: fmt.Sprint("m", n), At: 7, Data: []byte(`{}`)})
	}
	stream.AppendMilestone(tx, 1, stream.Milestone{Sequence: 1, Place: 9, Name: "again"})
	list := stream.Milestones(tx, 1, 1)
	var got []string
	for _, upTo := range []int64{1, 2, 4, 5} {
		for _, m := range stream.TakeUpTo(&list, upTo) {
			got = append(got, fmt.Sprint(m.Name, "<=", upTo))
		}
	}
	if want := []string{"m1<=2", "m2<=2", "m3<=5"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	stream.Delete(tx, 1)
	if left := stream.Milestones(tx, 1, 0); left != nil {
		t.Errorf("left behind: %v", left)
	}
}
