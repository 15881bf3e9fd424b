package logs

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of a [Writer].
const (
	maxQueued      = 2_000    // lines that wait for the disk
	maxQueuedBytes = 2 << 20  // and their size
	maxText        = 8 << 10  // bytes of one line
	maxBatch       = 64 << 10 // bytes that are written at once
	batchPause     = 200 * time.Millisecond
	troublePause   = 5 * time.Second // after the disk has refused a line
)

// engineSource marks lines of ours, see [status.LogLine].
const engineSource = "engine"

// Options say whose log a [Writer] writes.
type Options struct {
	Folder  Folder
	Config  string // the path of the configuration that the servers are of
	Pid     int
	Client  string    // as far as it is known
	Started time.Time // when the engine was started
}

// Writer writes the log of one engine and of its servers. Its methods return at once, whatever the disk does; they can be called from any
// goroutine. A nil Writer writes nothing.
type Writer struct {
	options Options
	append  func(path string, lines []byte) (isNew bool, err error)
	wake    chan struct{} // holds one value when there is something to do
	closing chan struct{}
	writing sync.WaitGroup

	mu      sync.Mutex
	client  string
	queue   []queued
	bytes   int
	dropped map[string]int // lines that were not written, by file
	running bool
	closed  bool
}

// queued is a line on its way to a file.
type queued struct {
	path string
	line Line
}

// NewWriter returns a Writer. Nothing is done on the disk before there is a line. Close it.
func NewWriter(options Options) *Writer {
	return &Writer{options: options, append: options.Folder.appendTo, client: options.Client,
		wake: make(chan struct{}, 1), closing: make(chan struct{}), dropped: map[string]int{}}
}

// SetClient says which client has started the engine, for the lines from now on.
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
		w.add(w.options.Folder.server(w.options.Config, toolbox, server), Line{Toolbox: toolbox, Server: server, LogLine: line})
	}
}

// Handler returns a handler that adds records of at least the level INFO to the engine's own log.
func Handler(w *Writer) slog.Handler {
	return slog.NewTextHandler(engineLog{w}, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey && len(groups) == 0 {
			return slog.Attr{} // the line has it
		}
		return a
	}})
}

// engineLog takes each Write for a line of the engine.
type engineLog struct{ w *Writer }

func (e engineLog) Write(p []byte) (int, error) {
	if w := e.w; w != nil {
		text := strings.TrimRight(string(p[:min(len(p), maxText)]), "\n")
		w.add(w.options.Folder.engine(w.options.Started, w.options.Pid), Line{LogLine: status.LogLine{Time: time.Now(), Source: engineSource, Text: text}})
	}
	return len(p), nil
}

// add puts a line into the queue.
func (w *Writer) add(path string, line Line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	size := len(line.Text) + line.Said.Size()
	if len(w.queue) == maxQueued || w.bytes+size > maxQueuedBytes {
		w.dropped[path]++
		return
	}
	line.Pid, line.Client = w.options.Pid, w.client
	w.queue, w.bytes = append(w.queue, queued{path, line}), w.bytes+size
	if !w.running {
		w.running = true
		w.writing.Go(w.run)
	}
	pause.Wake(w.wake)
}

// Close writes what is in the queue, and returns when that is done or after the time, whatever comes first.
func (w *Writer) Close(patience time.Duration) {
	if w == nil {
		return
	}
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.closing)
	}
	w.mu.Unlock()
	pause.Until(context.Background(), w.writing.Wait, patience) // longer only for a disk that never answers
}

// run writes batches until Close.
func (w *Writer) run() {
	known := map[string]bool{} // files that this writer has written
	for {
		select {
		case <-w.wake:
		case <-w.closing:
			w.flush(known)
			return
		}
		w.pause(batchPause)
		if !w.flush(known) {
			w.pause(troublePause)
		}
	}
}

// pause waits, but not when the writer is being closed.
func (w *Writer) pause(length time.Duration) {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.closing:
	}
}

// flush writes all that is in the queue. It reports whether the disk took it.
func (w *Writer) flush(known map[string]bool) (ok bool) {
	w.mu.Lock()
	queue, dropped := w.queue, w.dropped
	w.queue, w.bytes, w.dropped = nil, 0, map[string]int{}
	w.mu.Unlock()

	var order []string
	files := map[string][]Line{}
	for _, q := range queue {
		if files[q.path] == nil {
			order = append(order, q.path)
		}
		files[q.path] = append(files[q.path], q.line)
	}
	ok = true
	for path, count := range dropped {
		if files[path] == nil {
			w.miss(path, count) // said with its next line
			continue
		}
		first := files[path][0]
		first.LogLine = status.LogLine{Time: first.Time, Source: engineSource, Said: words.New("logs.dropped", "Count", count)}
		files[path] = append([]Line{first}, files[path]...)
	}
	for _, path := range order {
		if missed := w.write(path, files[path], known); missed > 0 {
			w.miss(path, missed)
			ok = false
		}
	}
	return ok
}

// miss notes that lines were not written.
func (w *Writer) miss(path string, count int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dropped[path] += count
}

// write adds lines to a file. It returns how many the disk did not take.
func (w *Writer) write(path string, lines []Line, known map[string]bool) (missed int) {
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
		if isNew && !known[path] {
			w.prune()
		}
		known[path] = true
		batch.Reset()
		count = 0
	}
	batch.WriteByte('\n') // what somebody could not write whole must not take this line with it
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

// prune removes files of which there are too many.
func (w *Writer) prune() {
	prune(w.options.Folder.servers(), MaxServers)
	prune(w.options.Folder.engines(), MaxEngines)
}

// shown returns a line as it is kept: without secrets and without characters that cannot be seen.
func shown(line Line) Line {
	clean := func(text string) string { return secret.Mask(visible.Line(visible.CutBytes(text, maxText))) }
	line.Text, line.Said = clean(line.Text), line.Said.Map(clean)
	line.Client, line.Level = visible.Line(line.Client), visible.Line(line.Level)
	return line
}
