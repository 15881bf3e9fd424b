package editor

import "github.com/workbench-mcp/workbench-desktop/engine/config"

// checked is what the file would be with all that is typed, as the newest check has found. Checks run in the
// background, so one may end after something else was typed.
type checked struct {
	document *config.Document // nil if there was nothing to check or the check failed
	asked    int              // the number of the last check that was begun
	answered int              // the number of the check that document is from
}

// begin returns the number of a new check.
func (c *checked) begin() int {
	c.asked++
	return c.asked
}

// end takes the result of a check. It reports false if another check was begun since.
func (c *checked) end(number int, document *config.Document) bool {
	if number != c.asked {
		return false
	}
	c.answered, c.document = number, document
	return true
}

// newest reports whether the last check has ended.
func (c *checked) newest() bool { return c.answered == c.asked }

// forget drops the result, and those of checks that have not ended.
func (c *checked) forget() { c.end(c.begin(), nil) }
