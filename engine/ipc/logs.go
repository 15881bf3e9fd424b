package ipc

// logBuffer is how many lines may wait for one reader.
const logBuffer = 1024

// logSubscriber receives the logs of all servers.
type logSubscriber struct {
	lines  chan LogLine
	missed int // lines that the reader missed because it was slow; guarded by Hub.mu
}

// SubscribeLog returns a channel that receives the log lines of all servers from now on. A slow reader misses
// lines; the next line says how many, and [Hub.Log] has them. The channel is never closed.
func (h *Hub) SubscribeLog() (lines <-chan LogLine, cancel func()) {
	s := &logSubscriber{lines: make(chan LogLine, logBuffer)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.logs[s] = true
	return s.lines, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.logs, s)
	}
}

// passLine sends a line to all readers. The caller must hold h.mu.
func (h *Hub) passLine(line LogLine) {
	missed := line.Missed
	for s := range h.logs {
		line.Missed = missed + s.missed
		select {
		case s.lines <- line:
			s.missed = 0
		default:
			s.missed += missed + 1
		}
	}
}
