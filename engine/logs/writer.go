package logs

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of a [Writer].
const (
	maxQueued      = 2_000    // lines in the queue
	maxQueuedBytes = 2 << 20  // and their size in bytes
	maxText        = 8 << 10  // bytes of one line
	maxBatch       = 64 << 10 // bytes in one write
	batchPause     = 200 * time.Millisecond
	troublePause   = 5 * time.Second // after a line could not be written
)

// engineSource marks our own lines, see [status.LogLine].
const engineSource = "engine"

// Options are the options of a [Writer].
type Options struct {
	Folder  Folder
	Config  string // the path of the configuration with the servers
	Pid     int
	Client  string    // as far as known
	Started time.Time // when the engine was started
}

// Writer writes the log of one engine and of its servers. Its methods return at once, however slow the disk
// is, and are safe for concurrent use. A nil Writer writes nothing.
type Writer struct {
	options Options
	append  func(path string, lines []byte) (isNew bool, err error)
	batches *background.Batches
	known   map[string]bool // files that this writer has written; only its goroutine uses it

	mu      sync.Mutex
	client  string
	queue   []Line
	bytes   int
	dropped map[source]int // lines that were not written
	closed  bool
}

// source is a server, whose lines have a file. The zero source is the engine.
type source struct{ toolbox, server string }

func (l Line) source() source { return source{l.Toolbox, l.Server} }

// path returns the file of a source.
func (w *Writer) path(of source) string {
	if of == (source{}) {
		return w.options.Folder.engine(w.options.Started, w.options.Pid)
	}
	return w.options.Folder.server(w.options.Config, of.toolbox, of.server)
}

// NewWriter returns a Writer. It writes nothing to the disk before there is a line. The caller must close it.
func NewWriter(options Options) *Writer {
	w := &Writer{options: options, append: options.Folder.appendTo, client: options.Client, known: map[string]bool{},
		dropped: map[source]int{}}
	w.batches = background.NewBatches(w.flush, batchPause, batchPause, troublePause)
	return w
}

// SetClient sets the client for the following lines.
func (w *Writer) SetClient(name string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.client = name
}

// Server adds a line to the log of a server.
func (w *Writer) Server(toolbox, server string, line status.LogLine) {
	if w != nil {
		w.add(Line{Toolbox: toolbox, Server: server, LogLine: line})
	}
}

// Handler returns a handler that adds records of level INFO and above to the engine's own log.
func Handler(w *Writer) slog.Handler {
	return slog.NewTextHandler(engineLog{w},
		&slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey && len(groups) == 0 {
				return slog.Attr{} // the line has its own time
			}
			return a
		}})
}

// engineLog adds each Write as a line of the engine.
type engineLog struct{ w *Writer }

func (e engineLog) Write(p []byte) (int, error) {
	if w := e.w; w != nil {
		text := strings.TrimRight(string(p[:min(len(p), maxText)]), "\n")
		w.add(Line{LogLine: status.LogLine{Time: time.Now(), Source: engineSource, Text: text}})
	}
	return len(p), nil
}

// add adds a line to the queue.
func (w *Writer) add(line Line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	size := len(line.Text) + line.Said.Size()
	if len(w.queue) == maxQueued || w.bytes+size > maxQueuedBytes {
		w.dropped[line.source()]++
		return
	}
	line.Pid, line.Client = w.options.Pid, w.client
	w.queue, w.bytes = append(w.queue, line), w.bytes+size
	w.batches.Wake()
}

// Close writes the queue. It returns when that is done, or after patience.
func (w *Writer) Close(patience time.Duration) {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.batches.Close(patience)
}

// flush writes the whole queue. It reports whether that succeeded.
func (w *Writer) flush() (ok bool) {
	w.mu.Lock()
	queue, dropped := w.queue, w.dropped
	w.queue, w.bytes, w.dropped = nil, 0, map[source]int{}
	w.mu.Unlock()

	var order []source
	lines := map[source][]Line{}
	for _, line := range queue {
		from := line.source()
		if lines[from] == nil {
			order = append(order, from)
		}
		lines[from] = append(lines[from], line)
	}
	ok = true
	for from, count := range dropped {
		if lines[from] == nil {
			w.miss(from, count) // reported with its next line
			continue
		}
		first := lines[from][0]
		first.LogLine = status.LogLine{Time: first.Time, Source: engineSource,
			Said: words.New("logs.dropped", "Count", count)}
		lines[from] = append([]Line{first}, lines[from]...)
	}
	for _, from := range order {
		if missed := w.write(w.path(from), lines[from]); missed > 0 {
			w.miss(from, missed)
			ok = false
		}
	}
	return ok
}

// miss records that lines were not written.
func (w *Writer) miss(from source, count int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dropped[from] += count
}

// write appends lines to a file. It returns how many could not be written.
func (w *Writer) write(path string, lines []Line) (missed int) {
	var batch bytes.Buffer
	count := 0
	send := func() {
		if count == 0 {
			return
		}
		isNew, err := w.append(path, batch.Bytes())
		if err != nil {
			missed += count
		}
		if isNew && !w.known[path] {
			w.prune()
		}
		w.known[path] = true
		batch.Reset()
		count = 0
	}
	batch.WriteByte('\n') // so that an incomplete line of another program does not spoil this one
	for _, line := range lines {
		raw, err := json.Marshal(shown(line))
		if err != nil {
			missed++
			continue
		}
		if batch.Len()+len(raw) > maxBatch {
			send()
		}
		batch.Write(raw)
		batch.WriteByte('\n')
		count++
	}
	send()
	return missed
}

// prune removes files if there are too many.
func (w *Writer) prune() {
	prune(w.options.Folder.servers(), MaxServers)
	prune(w.options.Folder.engines(), MaxEngines)
}

// shown returns a line as it is stored: without secrets and without invisible characters.
func shown(line Line) Line {
	clean := func(text string) string { return secret.Mask(visible.Line(visible.CutBytes(text, maxText))) }
	line.Text, line.Said = clean(line.Text), line.Said.Map(clean)
	line.Client, line.Level = visible.Line(line.Client), visible.Line(line.Level)
	return line
}
