package model

// Habits are the oddities of a seed's server that are no faults.
type Habits struct {
	// CountsCalls makes the ids of its calls begin with 0 in each answer.
	CountsCalls bool
	// Interleaves makes it send the pieces of several calls by turns.
	Interleaves bool
	// Resets makes the connection break when an answer is complete, in place of its end.
	Resets bool
	// Dawdles makes some of its answers never end.
	Dawdles bool
	// Endless makes it never say why an answer has ended, nor that it has.
	Endless bool
	// EmptyErrors makes it send an error that says nothing with each event.
	EmptyErrors bool
	// Stuck makes its answers to some questions always break off in the same way, behind the same words.
	Stuck bool
	// Faulty is in how many answers one fails, 0 for none.
	Faulty int
}
