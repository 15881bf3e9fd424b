// Package usage keeps what the toolboxes were good for: how many calls passed, on which day, for which app and through which server, how long
// they took and how many failed, and which toolboxes were opened. It keeps no contents: neither arguments nor results, nor a call by itself.
//
// Calls are counted in the row of their day, app, toolbox, server and tool, so that many calls need no more room than few. A [Writer] counts in
// memory, which holds no call up, and adds its counts at intervals to a store that all engines of the user share (docs/adr/086-usage.md).
package usage

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Limits of what is kept.
const (
	Days     = 30       // how many days are kept, today included
	MaxFile  = 16 << 20 // bytes of the store
	maxRows  = 400      // rows of one day; the calls of further tools are counted as those of their server
	fullRows = 500      // rows of one day; all further calls are counted together
	maxBoxes = 500      // rows about toolboxes of one day
	maxSeen  = 2000     // servers of which it is known since when they are there
	maxName  = 64       // bytes of a name
)

// Folder is where the store lies. See [paths.Folders.Usage].
type Folder string

// File is the name of the store in its folder.
const File = "usage.db"

func (f Folder) file() string { return filepath.Join(string(f), File) }

// damaged is where a store goes that cannot be read.
func (f Folder) damaged() string { return filepath.Join(string(f), "damaged.db") }

// Name returns a name as it is kept: in one line, without characters that cannot be seen, masked and cut.
func Name(name string) string {
	if len(name) > 4*maxName {
		name = name[:4*maxName]
	}
	return visible.CutBytes(secret.Mask(visible.Line(strings.ToValidUTF8(name, ""))), maxName)
}

// Tokens returns about how many tokens of a model's context a text of so many bytes takes.
func Tokens(bytes int) int { return (bytes + 3) / 4 }

// ofConfig tells configurations apart without saying where they are.
func ofConfig(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

// dayFormat is how a day is kept. Days are those of the user's own time.
const dayFormat = time.DateOnly

// maxSteps is how many steps of duration there are. The first is for calls of less than a millisecond, and each is twice as long as the one
// before; the last has no end.
const maxSteps = 22

// Calls counts calls.
type Calls struct {
	Count   int       `json:"calls"`
	Failed  int       `json:"failed"`
	Steps   []int     `json:"steps,omitempty"`   // how many took less than 1, 2, 4, … ms, and not less than the step before
	Longest int64     `json:"longest,omitempty"` // milliseconds
	Last    time.Time `json:"last,omitzero"`     // when the last one ended
}

// add counts calls among others.
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

// Typical returns about how long a call takes: half of them took less. It is 0 without calls.
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

// stepLimit is where a step ends, in milliseconds.
func stepLimit(step int) float64 {
	if step < 0 {
		return 0
	}
	return float64(int64(1) << step)
}

// Box counts what an app did with a toolbox on a day.
type Box struct {
	Sessions int       `json:"sessions"`          // of the app, in which the toolbox was offered
	Used     int       `json:"used,omitempty"`    // of those, in which it was open or one of its tools was called
	Opened   int       `json:"opened,omitempty"`  // how often its tools were given to the model
	Tools    int       `json:"tools,omitempty"`   // that it brought when it was opened last
	Tokens   int       `json:"tokens,omitempty"`  // that their definitions take, about
	Measured time.Time `json:"measured,omitzero"` // when that was
}

func (b *Box) add(other Box) {
	b.Sessions += other.Sessions
	b.Used += other.Used
	b.Opened += other.Opened
	if other.Measured.After(b.Measured) {
		b.Tools, b.Tokens, b.Measured = other.Tools, other.Tokens, other.Measured
	}
}

// callKey names a row of calls, boxKey one of a toolbox, and seenKey a server.
type (
	callKey struct{ day, config, app, toolbox, server, tool string }
	boxKey  struct{ day, config, app, toolbox string }
	seenKey struct{ config, toolbox, server string }
)

const between = "\x00" // the parts of a key; no name has it

func (k callKey) bytes() []byte {
	return []byte(strings.Join([]string{k.day, k.config, k.app, k.toolbox, k.server, k.tool}, between))
}

func (k boxKey) bytes() []byte {
	return []byte(strings.Join([]string{k.day, k.config, k.app, k.toolbox}, between))
}

func (k seenKey) bytes() []byte {
	return []byte(strings.Join([]string{k.config, k.toolbox, k.server}, between))
}

// parts takes a key apart. It returns nil for one with another number of parts.
func parts(key []byte, number int) []string {
	if p := strings.Split(string(key), between); len(p) == number {
		return p
	}
	return nil
}
