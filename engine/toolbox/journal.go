package toolbox

import (
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// What one server's log may hold.
const (
	maxJournal  = 64 << 10 // bytes of text
	journalCost = 64       // what a line costs besides its text, so that empty ones count too
	maxLine     = 4 << 10
)

// sourceEngine marks lines of our own, see [status.LogLine].
const sourceEngine = string(downstream.SourceEngine)

// journal is the log of one server. It survives restarts and failed starts, whose last words are what people need
// most.
type journal struct {
	toolbox, server string
	watchers        *watchers

	mu    sync.Mutex
	lines []status.LogLine
	bytes int
}

// say adds a line of our own.
func (j *journal) say(text words.Text) {
	said := text.Map(func(part string) string { return downstream.Clean(part, maxLine) })
	j.add(status.LogLine{Time: time.Now(), Source: sourceEngine, Said: said})
}

// heard adds what a server said. It is in one line and masked already.
func (j *journal) heard(line downstream.LogLine) {
	j.add(status.LogLine{Time: line.Time, Source: string(line.Source), Level: line.Level,
		Text: line.Text, Said: line.Said})
}

func (j *journal) add(line status.LogLine) {
	j.mu.Lock()
	j.lines = append(j.lines, line)
	j.bytes += costOf(line)
	drop := 0
	for j.bytes > maxJournal {
		j.bytes -= costOf(j.lines[drop])
		drop++
	}
	if drop > 0 {
		j.lines = j.lines[:copy(j.lines, j.lines[drop:])]
	}
	j.mu.Unlock()
	j.watchers.line(j.toolbox, j.server, line)
}

// costOf returns how many bytes a line counts for.
func costOf(line status.LogLine) int { return len(line.Text) + line.Said.Size() + journalCost }

func (j *journal) snapshot() []status.LogLine {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]status.LogLine(nil), j.lines...)
}

// startLine says what is started, as the file has it: references are not expanded, secrets masked or left out.
func startLine(entry *config.Server) string {
	if entry.URL != "" {
		return downstream.Address(entry.URL)
	}
	return secret.Command(entry.Command, entry.Args)
}
