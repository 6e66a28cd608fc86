//go:build !wasip1

package flow

// trapEndsCoroutines says that a trap ends every coroutine. A native program goes on, and a coroutine that waits stays in
// memory with all that it refers to.
const trapEndsCoroutines = false
