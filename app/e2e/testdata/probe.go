package glfw

// TestProbe of app/e2e builds this file into Fyne's driver. It is part of no other build.

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

// probeKind is a kind of work that the goroutine of the window does.
type probeKind int

const (
	probeDo        probeKind = iota // a function passed to fyne.Do
	probeEvents                     // keyboard and mouse events: the handlers of widgets
	probeAnimation                  // one step of the running animations
	probeLayout                     // computing minimum sizes and layouts
	probePaint                      // creating and freeing textures, issuing drawing commands
	probeSwap                       // drawing the frame, which the CPU does if there is no graphics card
	probeKinds
)

var probeNames = [probeKinds]string{"do", "events", "animation", "layout", "paint", "swap"}

// probeLong is the duration after which a call counts as long, so that its stack is recorded.
const probeLong = 10 * time.Millisecond

type probeRecorder struct {
	labels [probeKinds]context.Context
	lines  chan string
	since  atomic.Int64 // when the call began, in nanoseconds; 0 if no call is running
	watch  *time.Timer
}

// probe returns the recorder, or nil if WORKBENCH_PROBE is not set. WORKBENCH_PROBE is the folder to write to.
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

// probed calls f and records when it ended and how long it took.
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
	default: // The disk is too slow: drop the line.
	}
}

// processorTime returns the CPU time of the window's thread in nanoseconds. The time of other threads and programs is not included.
func processorTime() int64 {
	const threadTime = 3 // CLOCK_THREAD_CPUTIME_ID
	var spent syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadTime, uintptr(unsafe.Pointer(&spent)), 0)
	return spent.Nano()
}

// look records the stack of a long call.
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
			return // Only Fyne itself is at work, not the app.
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

// probeProfiles starts or stops a CPU profile at each SIGUSR1. At the first SIGUSR2 it writes a heap profile.
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
