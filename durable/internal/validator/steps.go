package validator

import "strconv"

const (
	// MaxSteps is how many steps the check of one value against one schema has, with reading and compiling the
	// schema. A step takes at most about 30 ns on a server's processor, and 50 in a module, so that
	// a check takes at most about 10 ms.
	MaxSteps = 200_000
	// OfferedSteps is how many there are if a server has said both the schema and the value. A new process runs a module
	// slower, up to 400 ns a step were measured in workerd, so that such a check too takes at most about 10 ms.
	OfferedSteps = 20_000
	// MaxDepth is how many checks may be nested: of what is inside of a value, and of a value against a schema
	// that another schema refers to.
	MaxDepth = 512
	// MaxWords is how many bytes the words of an error have.
	MaxWords = 2_000
)

// failure is an error that is a constant.
type failure string

func (f failure) Error() string { return string(f) }

// The errors of a check that somebody else has made too long. They say nothing about whether the value fits.
var (
	ErrSteps   error = failure("takes more than " + strconv.Itoa(MaxSteps/1_000) + ",000 steps to check")
	ErrOffered error = failure("takes more than " + strconv.Itoa(OfferedSteps/1_000) + ",000 steps to check")
	ErrSpent   error = failure("comes behind checks that have taken all steps there are for them")
	ErrDepth   error = failure("takes more than " + strconv.Itoa(MaxDepth) + " checks inside of each other")
)

// What steps are taken for. A step is the time of one small check. The other weights were measured against it,
// see BenchmarkCosts.
const (
	// perValue is for reading a value, and perField for a name of an object, which is looked up later.
	perValue, perField = 2, 2
	// bytesAStep is how many bytes are read, copied, compared or counted in one step.
	bytesAStep = 32
	// perExponent is for a number with an exponent. What else a number takes says [limit.NumberCost].
	perExponent = 1
	// perSchema is for compiling a schema, and perCheck for checking a value against it.
	perSchema, perCheck = 24, 2
	// perChoice is for keeping a choice of an enum, and perLookup for finding a value among them.
	perChoice, perLookup = 5, 3
	// bitsAStep is how many bits of notes are merged in one step.
	bitsAStep = 512
	// instructionsAStep is how many instructions of a pattern are run in one step.
	instructionsAStep = 4
)

// countdown is the steps that a check has left, and why it has ended.
type countdown struct {
	left int
	end  error
	// late is how often steps were asked for after the end. A loop that goes on then makes it large.
	late int
}

// take takes steps, and says whether they were left.
func (c *countdown) take(steps int) bool {
	if c.end != nil {
		c.late++
		return false
	}
	if c.left -= steps; c.left < 0 {
		c.end = ErrSteps
	}
	return c.end == nil
}

// takeBytes takes the steps of some bytes, and says whether they were left.
func (c *countdown) takeBytes(n int) bool { return c.take(1 + n/bytesAStep) }
