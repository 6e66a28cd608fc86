package client

// backlog holds what came in and waits for its reader.
type backlog[T any] struct {
	items []waiting[T]
	bytes int
}

type waiting[T any] struct {
	item T
	size int
}

// add adds an item that came in a frame of a size, in bytes.
func (b *backlog[T]) add(item T, size int) {
	b.items, b.bytes = append(b.items, waiting[T]{item, size}), b.bytes+size
}

// take removes and returns the oldest item, and says whether there was one.
func (b *backlog[T]) take() (item T, ok bool) {
	if len(b.items) == 0 {
		return item, false
	}
	first := b.items[0]
	b.items[0] = waiting[T]{} // the array outlives the item
	b.items, b.bytes = b.items[1:], b.bytes-first.size
	return first.item, true
}

// reaches says whether there are at least so many items, or bytes.
func (b *backlog[T]) reaches(items, bytes int) bool {
	return len(b.items) >= items || b.bytes >= bytes
}
