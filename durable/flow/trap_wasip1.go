package flow

// trapEndsCoroutines says that a trap ends every coroutine, with the instance.
const trapEndsCoroutines = true
