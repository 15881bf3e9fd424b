package background

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// logged sends what is logged during a test to a buffer.
func logged(t *testing.T) *lockedBuffer {
	log := &lockedBuffer{}
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return log
}

type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// TestPanicEndsOnlyItsWork starts work that panics in each of the ways.
func TestPanicEndsOnlyItsWork(t *testing.T) {
	log := logged(t)
	ctx, cancel := context.WithCancel(t.Context())
	var group Group
	var nothing map[string]int
	fails := func() {
		defer group.Done()
		nothing["a"] = 1
	}
	group.Add(3)
	Go(fails)
	After(0, fails)
	AfterEnd(ctx, fails)
	cancel()
	group.Go(func() { panic(errors.New("a mistake")) })
	group.Wait()
	err := Catch(func() error { nothing["a"] = 1; return nil })
	if !words.Is(err, ErrPanic) || !strings.Contains(err.Error(), "nil map") {
		t.Errorf("Catch returns %v", err)
	}
	if err := Catch(func() error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Errorf("without a panic, Catch returns %v", err)
	}
	if said := log.String(); !strings.Contains(said, "level=ERROR") || !strings.Contains(said, "background_test.go") {
		t.Errorf("the log has %q", said)
	}
}

func TestKeep(t *testing.T) {
	logged(t)
	synctest.Test(t, func(t *testing.T) {
		times := 0
		Keep(t.Context(), func() {
			if times++; times < 3 {
				panic("again")
			}
		})
		if times != 3 {
			t.Errorf("the work began %d times, want 3", times)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		Keep(ctx, func() { panic("for ever") })
		if ctx.Err() == nil {
			t.Error("Keep has given up")
		}
	})
}

// TestWithoutItAPanicEndsTheProgram makes sure that the tests above would notice a panic that is not contained.
func TestWithoutItAPanicEndsTheProgram(t *testing.T) {
	if os.Getenv("BACKGROUND_TEST_PANICS") != "" {
		go func() { panic("not contained") }()
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "BACKGROUND_TEST_PANICS=1")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "not contained") {
		t.Errorf("%v: %s", err, out)
	}
}
