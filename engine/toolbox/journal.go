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

// Limits on the log of one server.
const (
	maxJournal  = 64 << 10 // in bytes
	journalCost = 64       // counted for each line in addition to its text
	maxLine     = 4 << 10
)

// sourceEngine is the source of our own lines; see [status.LogLine].
const sourceEngine = string(downstream.SourceEngine)

// journal is the log of one server. It is kept when the server is restarted or cannot be started.
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

// heard adds a line of the server. Its secrets must be masked.
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

// sayStarting says that the server is started.
func (l *link) sayStarting() {
	l.journal.say(words.New("toolbox.starting", "Command", startLine(l.entry)))
}

// sayConnected says that the server is connected. The log of a shared server has that of several apps, so they are
// named.
func (l *link) sayConnected() {
	if l.process.Shared && l.said.app != "" {
		l.journal.say(words.New("toolbox.used", "App", l.said.app, "Tools", countTools(l)))
		return
	}
	l.journal.say(words.New("toolbox.connected", "Tools", countTools(l)))
}

// sayEnded says that the server was ended, or that this app uses it no more.
func (l *link) sayEnded() {
	if l.process.Shared && l.said.app != "" {
		l.journal.say(words.New("toolbox.unused", "App", l.said.app))
		return
	}
	l.journal.say(words.New("toolbox.ended"))
}

// startLine returns the command or address of a server for its log, with secrets masked and references not expanded.
func startLine(entry *config.Server) string {
	if entry.URL != "" {
		return downstream.Address(entry.URL)
	}
	return secret.Command(entry.Command, entry.Args)
}
