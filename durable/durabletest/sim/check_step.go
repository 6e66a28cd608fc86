package sim

// stepsAreTold is that the model is told its steps one by one: the calls of one message are those
// that it has made in one model call.
func (e *endpoint) stepsAreTold(q question, made map[string]toolCall) {
	for _, m := range q.Messages {
		step := ""
		for _, t := range m.ToolCalls {
			c, known := made[t.ID]
			if !known || t.Function.Arguments == "{}" { // that one broke off, and may be another
				continue
			}
			if step != "" && c.step != step {
				e.sim.fail("I8", "the model is told as one step what it has called in %s and in %s", step, c.step)
			}
			step = c.step
		}
	}
}
