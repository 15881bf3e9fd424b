package process

import (
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// Callers that look at the same time share a result. Each gets one that is no older than its call.
func TestLooks(t *testing.T) {
	var looks Looks
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			cmd := exec.Command("sleep", "60")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			g := &group{id: cmd.Process.Pid}
			var wrong atomic.Int32
			for range 5 {
				if !looks.alive(g) {
					wrong.Add(1)
				}
			}
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if looks.alive(g) || wrong.Load() > 0 {
				t.Errorf("a living group was called dead %d times, a dead one alive: %v", wrong.Load(), looks.alive(g))
			}
		})
	}
	wg.Wait()
}
