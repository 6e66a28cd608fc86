//go:build !wasip1

package flow

// trapEndsCoroutines says that a trap ends every coroutine. Natively it does not: the program continues, and a waiting
// coroutine keeps in memory all that it refers to.
const trapEndsCoroutines = false
