package glfw

// This file becomes a part of Fyne's driver in the build of app/e2e's TestProbe, and of that alone.

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// The kinds of work that the goroutine of the window does.
type probeKind int

const (
	probeDo        probeKind = iota // what came through fyne.Do
	probeEvents                     // keys and mouse: the handlers of widgets
	probeAnimation                  // a step of what moves
	probeLayout                     // the least size of everything, and new layouts
	probePaint                      // textures made and freed, drawing commands
	probeSwap                       // the frame is drawn, by the processor where there is no graphics card
	probeKinds
)

var probeNames = [probeKinds]string{"do", "events", "animation", "layout", "paint", "swap"}

// probeLong is after how long it is written down what a call is at.
const probeLong = 10 * time.Millisecond

type probeRecorder struct {
	labels [probeKinds]context.Context
	lines  chan string
	since  atomic.Int64 // when the call began, in nanoseconds; 0: none
	watch  *time.Timer
}

// probe is nil without WORKBENCH_PROBE, the folder to write into.
var probe = sync.OnceValue(func() *probeRecorder {
	folder := os.Getenv("WORKBENCH_PROBE")
	if folder == "" {
		return nil
	}
	p := &probeRecorder{lines: make(chan string, 1<<16)}
	for kind, name := range probeNames {
		p.labels[kind] = pprof.WithLabels(context.Background(), pprof.Labels("window", name))
	}
	p.watch = time.AfterFunc(time.Hour, p.look)
	go p.write(folder)
	go probeProfiles(folder)
	return p
})

// probed calls f and writes down when it ended and how long it took.
func probed(kind probeKind, f func()) {
	p := probe()
	if p == nil {
		f()
		return
	}
	begun, processor := time.Now(), processorTime()
	pprof.SetGoroutineLabels(p.labels[kind])
	p.since.Store(begun.UnixNano())
	p.watch.Reset(probeLong)
	f()
	p.since.Store(0)
	pprof.SetGoroutineLabels(context.Background())
	ended := time.Now()
	select {
	case p.lines <- fmt.Sprintf("%d %s %d %d\n", ended.UnixNano(), probeNames[kind], ended.Sub(begun).Nanoseconds(), processorTime()-processor):
	default: // the disk is behind
	}
}

// processorTime is how long the thread of the window has had a processor, in nanoseconds. What else the machine does is not in it.
func processorTime() int64 {
	const threadTime = 3 // CLOCK_THREAD_CPUTIME_ID
	var spent syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadTime, uintptr(unsafe.Pointer(&spent)), 0)
	return spent.Nano()
}

// look writes down what a long call is at.
func (p *probeRecorder) look() {
	if p.since.Load() == 0 {
		return
	}
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	now := time.Now().UnixNano()
	for _, stack := range strings.Split(string(buf), "\n\n") {
		if !strings.HasPrefix(stack, "goroutine 1 ") {
			continue
		}
		var at []string
		for _, line := range strings.Split(stack, "\n") {
			if name, ok := strings.CutPrefix(line, "github.com/workbench-mcp/workbench-desktop/"); ok && len(at) < 8 {
				if end := strings.LastIndexByte(name, '('); end > 0 {
					name = name[:end]
				}
				at = append(at, name)
			}
		}
		if len(at) > 0 && strings.HasPrefix(at[0], "app.Run") {
			return // Fyne's own business
		}
		p.lines <- fmt.Sprintf("%d at %s\n", now, strings.Join(at, " < "))
	}
}

func (p *probeRecorder) write(folder string) {
	file, err := os.Create(filepath.Join(folder, "calls"))
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(file)
	for line := range p.lines {
		out.WriteString(line)
		if len(p.lines) == 0 {
			out.Flush()
		}
	}
}

// probeProfiles begins or ends a CPU profile with each SIGUSR1. With SIGUSR2 it writes a heap profile.
func probeProfiles(folder string) {
	kept := make(chan os.Signal, 1)
	signal.Notify(kept, syscall.SIGUSR2)
	go func() {
		<-kept
		runtime.GC()
		file, err := os.Create(filepath.Join(folder, "heap.pprof"))
		if err != nil {
			panic(err)
		}
		_ = pprof.WriteHeapProfile(file)
		file.Close()
	}()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGUSR1)
	for n := 0; ; n++ {
		<-signals
		file, err := os.Create(filepath.Join(folder, fmt.Sprintf("%02d.pprof", n)))
		if err != nil {
			panic(err)
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			panic(err)
		}
		<-signals
		pprof.StopCPUProfile()
		file.Close()
	}
}
