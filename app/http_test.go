package app

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

// fakeHTTP is "serve" without a process.
type fakeHTTP struct {
	*token.Store
	mu     sync.Mutex
	on     bool
	fails  error
	ended  chan struct{}
	starts int
}

func (f *fakeHTTP) Address() (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.on {
		return "", false
	}
	return "http://127.0.0.1:7400/mcp", true
}

func (f *fakeHTTP) Start() (<-chan struct{}, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.starts++
	if f.on {
		return f.ended, nil
	}
	if f.fails != nil {
		return nil, f.fails
	}
	f.on, f.ended = true, make(chan struct{})
	return f.ended, nil
}

func (f *fakeHTTP) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.on {
		f.on = false
		close(f.ended)
	}
}

// TestOverHTTP: the next start does what the user has chosen, and the window follows what happens.
func TestOverHTTP(t *testing.T) {
	folder := t.TempDir()
	served := &fakeHTTP{Store: token.Open(filepath.Join(folder, "tokens.json"))}
	preferences, err := model.OpenPreferences(filepath.Join(folder, "preferences.json"))
	if err != nil {
		t.Fatal(err)
	}
	options := func(o *Options) {
		system := engine.System{OS: "linux", Home: folder, Getenv: func(string) string { return "" }, Stat: os.Stat,
			ReadDir: os.ReadDir, Processes: func() ([]engine.Process, error) { return nil, nil }}
		o.HTTP, o.Preferences = served, preferences
		o.Apps = &setup.Setup{Location: o.Location, System: system, Registrar: engine.New(system, folder),
			Launch: func() (engine.Launch, error) { return engine.Launch{}, errors.New("not here") }}
	}
	b := newBench(t, oneServer, options)
	on := func(want bool) {
		t.Helper()
		b.until(func() string {
			if now := b.model.Apps.HTTP; !now.Known || now.On != want || (now.Address != "") != want {
				return "it is not known yet, or wrong"
			}
			return ""
		})
	}
	b.apps.Find()
	on(false)
	if served.starts > 0 || preferences.Get().HTTP {
		t.Error("it was started although nobody wants it")
	}
	served.fails = errors.New("the address is taken")
	b.apps.Serve(true)
	b.until(func() string { return differs(b.model.Apps.HTTP.Problem, "The address is taken.") })
	if b.model.Apps.HTTP.On || preferences.Get().HTTP {
		t.Error("it is on although it has failed")
	}
	served.fails = nil
	b.apps.Serve(true)
	on(true)
	if b.model.Apps.HTTP.Problem != "" {
		t.Errorf("the problem is still %q", b.model.Apps.HTTP.Problem)
	}
	made := false
	b.apps.AddToken("n8n", func(_ string, err error) { made = err == nil })
	b.until(func() string {
		if apps := b.model.Apps.HTTP.Apps; !made || len(apps) != 1 || apps[0] != "n8n" {
			return "the app is not known"
		}
		return ""
	})
	served.Stop() // as if it had crashed
	on(false)
	again := newBench(t, oneServer, options)
	again.until(func() string {
		if now := again.model.Apps.HTTP; !now.On {
			return "it was not started again"
		}
		return ""
	})
	again.apps.Serve(false)
	again.until(func() string {
		if again.model.Apps.HTTP.On || preferences.Get().HTTP {
			return "it is on"
		}
		return ""
	})
}
