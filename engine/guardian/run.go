package guardian

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// The times after the end of an engine at which its servers are asked to exit, are killed, and are given up.
// Unless a process hangs inside the operating system, all of it takes less than two seconds.
const (
	askAfter  = 300 * time.Millisecond // their stdin has ended, and most exit by themselves
	killAfter = 800 * time.Millisecond
	giveUp    = 10 * time.Second // a process that hangs inside the operating system cannot be ended
)

// orphansAfter is when a guardian searches for processes that other engines left behind, in time since its
// start. By then the guardian of an engine that has just ended has finished.
const orphansAfter = 3 * time.Second

// farewell ends a guardian that is not needed any more.
const farewell = "bye\n"

// Run runs a guardian. It returns false at once if the arguments of the program do not ask for one.
func Run(args []string, in io.Reader) bool {
	if len(args) != 1 || args[0] != Command || !needed {
		return false
	}
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return false // a person at a terminal gets the error for an unknown command
	}
	// Signals that end other programs, for example when the user's session or the client ends, must not end
	// the guardian: that is what it waits for.
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	// It works for a moment and then waits for hours.
	debug.FreeOSMemory()
	watch(system{}, file)
	return true
}

// ender is a machine with processes that can be ended.
type ender interface {
	machine
	// signal sends a signal to a process, unless another process has its id by now.
	signal(p proc, s syscall.Signal)
}

// watch reads what the engine writes until the engine ends, and then ends what it has left behind.
func watch(m ender, in io.Reader) {
	swept := make(chan struct{})
	orphans := background.After(orphansAfter, func() {
		defer close(swept)
		end(m, seeds{orphans: true}, 0)
	})
	left, over := listen(in)
	waiting := orphans.Stop()
	if !over {
		end(m, left, askAfter)
	}
	if !waiting {
		<-swept
	}
}

// listen reads what the engine writes. over reports whether the engine has released the guardian.
func listen(in io.Reader) (left seeds, over bool) {
	servers := map[int]uint64{}
	var own string
	lines := bufio.NewReaderSize(in, 512)
	for !over {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var pid int
		var started uint64
		switch {
		case line == farewell:
			over = true
		case strings.HasPrefix(line, "= "):
			own = strings.TrimSpace(line[2:])
		case strings.HasPrefix(line, "+ "):
			if n, _ := fmt.Sscanf(line, "+ %d %d", &pid, &started); n == 2 {
				servers[pid] = started
			}
		case strings.HasPrefix(line, "- "):
			if n, _ := fmt.Sscanf(line, "- %d", &pid); n == 1 {
				delete(servers, pid)
			}
		}
	}
	left = seeds{mark: own, known: map[identity]bool{}}
	for pid, started := range servers {
		left.known[identity{pid, started}] = true
	}
	return left, over
}

// end ends all processes that are ours. They get some time to exit by themselves.
func end(m ender, s seeds, grace time.Duration) {
	begun := time.Now()
	if s.known == nil {
		s.known = map[identity]bool{}
	}
	asked := map[identity]bool{}
	none := 0
	for wait := 5 * time.Millisecond; none < 2 && time.Since(begun) < giveUp; wait = min(2*wait, 100*time.Millisecond) {
		found := find(m, s)
		now := time.Since(begun)
		for _, p := range found {
			s.known[p.identity()] = true // it stays proven when the proof disappears
			switch {
			case now >= grace+killAfter-askAfter:
				m.signal(p, syscall.SIGKILL)
				wait = 5 * time.Millisecond
			case now >= grace && !asked[p.identity()]:
				asked[p.identity()] = true
				m.signal(p, syscall.SIGTERM)
			}
		}
		none++ // a process may have been started during the search
		if len(found) > 0 {
			none = 0
		}
		if none < 2 {
			time.Sleep(wait)
		}
	}
}
