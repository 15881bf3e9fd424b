package downstream

import (
	"bufio"
	"bytes"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Source is the source of a [LogLine].
type Source string

// The sources of log lines.
const (
	SourceStderr  Source = "stderr"  // the server's stderr
	SourceStdout  Source = "stdout"  // output on stdout that is not an MCP message
	SourceMessage Source = "message" // a notifications/message
	SourceEngine  Source = "engine"  // a remark of ours
)

// LogLine is a line of a server's log.
type LogLine struct {
	Time   time.Time
	Source Source
	// Level is the level of notifications/message, such as "warning"; otherwise empty.
	Level string
	// Text is one line without control characters, of at most 4 KiB, with secrets masked. It is empty for our remarks.
	Text string
	// Said is the text of our remarks, with secrets masked.
	Said words.Text
}

// String returns the line in English.
func (l LogLine) String() string {
	if l.Source == SourceEngine {
		return l.Said.String()
	}
	return l.Text
}

const (
	maxLogLine  = 4 << 10
	maxLogBytes = 64 << 10
	lineCost    = 64 // counted for each line in addition to its text

	logBurst = 200 // lines that the hook gets at once
	logRate  = 50  // lines a second after that
)

// cost returns the size that is counted for a line, in bytes.
func (l LogLine) cost() int { return len(l.Text) + l.Said.Size() + lineCost }

// masked returns the line with what looks like a secret masked.
func (l LogLine) masked() LogLine {
	l.Text, l.Said = secret.Mask(l.Text), l.Said.Map(secret.Mask)
	return l
}

// serverLog has the last lines of a server's log, and passes all lines to a hook at a limited rate.
type serverLog struct {
	hook func(LogLine)
	mask func(string) string // masks the secrets of the server's entry
	now  func() time.Time

	pace bucket // the rate limit of the hook

	mu     sync.Mutex
	lines  []LogLine
	bytes  int
	missed int       // lines since the last one that were not passed to the hook
	quiet  time.Time // no line of the server is passed to the hook before this time
}

// hide masks the secrets of the server's entry, and what looks like a secret.
func (l *serverLog) hide(text string) string { return secret.Mask(l.mask(text)) }

func newServerLog(hook func(LogLine), mask func(string) string) *serverLog {
	return &serverLog{hook: hook, mask: mask, now: time.Now}
}

// add adds a line of the server and passes it to the hook.
func (l *serverLog) add(source Source, level, text string) {
	l.keep(LogLine{Source: source, Level: level, Text: clean(l.mask(text), maxLogLine)})
}

// say adds a remark of ours and always passes it to the hook.
func (l *serverLog) say(text words.Text) {
	l.keep(LogLine{Source: SourceEngine, Said: text.Map(func(part string) string {
		return clean(l.mask(part), maxLogLine)
	})})
}

func (l *serverLog) keep(entry LogLine) {
	now := l.now()
	entry.Time = now
	l.mu.Lock()
	l.lines = append(l.lines, entry)
	l.bytes += entry.cost()
	drop := 0
	for l.bytes > maxLogBytes {
		l.bytes -= l.lines[drop].cost()
		drop++
	}
	if drop > 0 {
		// The lines are moved to the beginning of their array, so that it does not grow.
		l.lines = l.lines[:copy(l.lines, l.lines[drop:])]
	}
	pass := entry.Source == SourceEngine || l.passes(now)
	missed := 0
	if pass {
		missed, l.missed = l.missed, 0
	} else {
		l.missed++
	}
	l.mu.Unlock()
	if !pass || l.hook == nil {
		return
	}
	if missed > 0 {
		l.show(LogLine{Time: now, Source: SourceEngine, Said: words.New("downstream.lines_left_out", "Count", missed)})
	}
	l.show(entry)
}

// logPause is how long a server that writes too much is not heard. Without a pause, every second line of the log would
// say how many were left out.
const logPause = time.Second

// passes reports whether a line of the server is passed to the hook.
func (l *serverLog) passes(now time.Time) bool {
	if now.Before(l.quiet) {
		return false
	}
	if !l.pace.take(now, logBurst, logRate) {
		l.quiet = now.Add(logPause)
		return false
	}
	return true
}

// show calls the hook and recovers from a panic in it.
func (l *serverLog) show(entry LogLine) {
	defer func() { _ = recover() }()
	l.hook(entry.masked())
}

// snapshot returns the last lines, the oldest first.
func (l *serverLog) snapshot() []LogLine {
	l.mu.Lock()
	lines := append([]LogLine(nil), l.lines...)
	l.mu.Unlock()
	for i := range lines {
		lines[i] = lines[i].masked()
	}
	return lines
}

// Clean returns text from a server or client as one line of plain text for logs and errors: valid UTF-8 of at most
// limit bytes, without terminal sequences, control characters and invisible characters.
func Clean(text string, limit int) string { return clean(text, limit) }

// clean is [Clean].
func clean(text string, limit int) string {
	if plain(text) && len(text) <= limit {
		return text
	}
	var out strings.Builder
	r := strings.NewReader(text)
	for out.Len() < limit {
		c, _, err := r.ReadRune()
		if err != nil {
			break
		}
		switch {
		case c == '\x1b':
			skipEscape(r)
		case c == '\t' || c == '\n' || c == '\r':
			out.WriteByte(' ')
		case !visible.Hidden(c):
			out.WriteRune(c)
		}
	}
	line := visible.Without(out.String())
	if out.Len() < limit || r.Len() == 0 && out.Len() <= limit {
		return line
	}
	cut := line[:min(len(line), limit-len("…"))]
	for len(cut) > 0 && !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	return cut + "…"
}

// plain reports whether the text is printable ASCII.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// skipEscape skips the rest of a terminal sequence: ESC [ … letter, ESC ] … BEL, or ESC and one character.
func skipEscape(r *strings.Reader) {
	c, err := r.ReadByte()
	if err != nil {
		return
	}
	switch c {
	case '[':
		for c, err = r.ReadByte(); err == nil && (c < '@' || c > '~'); c, err = r.ReadByte() {
		}
	case ']':
		for c, err = r.ReadByte(); err == nil && c != '\a' && c != '\x1b'; c, err = r.ReadByte() {
		}
	}
}

// stderrScanner reads lines of any length. Only the beginning of a long line is kept.
type stderrScanner struct{ r *bufio.Reader }

// next returns the next line without its line end.
func (s stderrScanner) next() (string, error) {
	data, err := s.r.ReadSlice('\n')
	text := decodeLine(bytes.TrimRight(data, "\r\n"))
	for err == bufio.ErrBufferFull {
		_, err = s.r.ReadSlice('\n')
	}
	if err != nil && text != "" {
		return text, nil
	}
	return text, err
}
