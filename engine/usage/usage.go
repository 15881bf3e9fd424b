// Package usage counts how toolboxes are used: how many calls there were on each day, by which app and to
// which server, how long they took and how many failed, and which toolboxes were opened. It stores no
// contents: no arguments, no results and no single call.
//
// Calls are counted in a row for each day, app, toolbox, server and tool, so that many calls need no more
// room than few. A [Writer] counts in memory, which delays no call, and adds its counts at intervals to the
// file of the day, which all engines of the user share (docs/adr/086-usage.md).
package usage

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Limits of what is kept.
const (
	Days     = 30  // how many days are kept, including today
	maxRows  = 400 // rows of one day; after that, calls are counted for their server instead of their tool
	fullRows = 500 // rows of one day; after that, all calls are counted together
	maxBoxes = 500 // rows for toolboxes of one day
	maxDay   = fullRows + 2 + maxBoxes
	maxSeen  = 2000 // servers whose first and last day are known
	maxName  = 64   // bytes of a name
)

// Folder is the folder of the store. See [paths.Folders.Usage].
type Folder string

// Name returns a name as it is stored: on one line, without invisible characters, masked and shortened.
func Name(name string) string {
	if len(name) > 4*maxName {
		name = name[:4*maxName]
	}
	return visible.CutBytes(secret.Mask(visible.Line(strings.ToValidUTF8(name, ""))), maxName)
}

// Tokens returns roughly how many tokens of a model's context a text with a number of bytes takes.
func Tokens(bytes int) int { return (bytes + 3) / 4 }

// ofConfig returns a text that identifies a configuration without its path.
func ofConfig(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

// dayFormat is the format of a day. Days are those of the user's time zone.
const dayFormat = time.DateOnly

// maxSteps is the number of steps of duration. The first is for calls of less than a millisecond, each is
// twice as long as the one before, and the last has no end.
const maxSteps = 22

// Calls counts calls.
type Calls struct {
	Count  int `json:"calls"`
	Failed int `json:"failed"`
	// how many calls took less than 1, 2, 4, … ms, but not less than the step before
	Steps   []int     `json:"steps,omitempty"`
	Longest int64     `json:"longest,omitempty"` // milliseconds
	Last    time.Time `json:"last,omitzero"`     // when the last one ended
}

// add adds the counts of other calls.
func (c *Calls) add(other Calls) {
	c.Count += other.Count
	c.Failed += other.Failed
	for len(c.Steps) < min(len(other.Steps), maxSteps) {
		c.Steps = append(c.Steps, 0)
	}
	for i := range min(len(other.Steps), maxSteps) {
		c.Steps[i] += other.Steps[i]
	}
	c.Longest = max(c.Longest, other.Longest)
	if other.Last.After(c.Last) {
		c.Last = other.Last
	}
}

// count counts one call.
func (c *Calls) count(ended time.Time, took time.Duration, failed bool) {
	c.Count++
	if failed {
		c.Failed++
	}
	ms := took.Milliseconds()
	step := 0
	for limit := int64(1); ms >= limit && step < maxSteps-1; limit *= 2 {
		step++
	}
	for len(c.Steps) <= step {
		c.Steps = append(c.Steps, 0)
	}
	c.Steps[step]++
	c.Longest, c.Last = max(c.Longest, ms), ended
}

// Typical returns a typical duration: roughly half of the calls took less. It is 0 if there are no calls.
func (c Calls) Typical() time.Duration {
	all := 0
	for _, n := range c.Steps {
		all += n
	}
	below := 0
	for step, n := range c.Steps {
		if n > 0 && 2*(below+n) >= all {
			from, to := stepLimit(step-1), min(stepLimit(step), float64(c.Longest)+1)
			part := (float64(all)/2 - float64(below)) / float64(n)
			return time.Duration((from + max(0, to-from)*part) * float64(time.Millisecond))
		}
		below += n
	}
	return 0
}

// stepLimit returns the end of a step in milliseconds.
func stepLimit(step int) float64 {
	if step < 0 {
		return 0
	}
	return float64(int64(1) << step)
}

// Box counts what an app did with a toolbox on one day.
type Box struct {
	Sessions int `json:"sessions"` // sessions of the app in which the toolbox was offered
	// of these, sessions in which it was open or one of its tools was called
	Used     int       `json:"used,omitempty"`
	Opened   int       `json:"opened,omitempty"`  // how often its tools were given to the model
	Tools    int       `json:"tools,omitempty"`   // the number of its tools when it was last opened
	Tokens   int       `json:"tokens,omitempty"`  // the tokens of their definitions, roughly
	Measured time.Time `json:"measured,omitzero"` // when these were measured
}

func (b *Box) add(other Box) {
	b.Sessions += other.Sessions
	b.Used += other.Used
	b.Opened += other.Opened
	if other.Measured.After(b.Measured) {
		b.Tools, b.Tokens, b.Measured = other.Tools, other.Tokens, other.Measured
	}
}

// callKey identifies a row of calls on a day, boxKey one of a toolbox, and seenKey a server.
type (
	callKey struct{ config, app, toolbox, server, tool string }
	boxKey  struct{ config, app, toolbox string }
	seenKey struct{ config, toolbox, server string }
)
