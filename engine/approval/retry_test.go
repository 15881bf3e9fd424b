package approval

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// refusing is a keychain that refuses and records when it was asked.
type refusing struct {
	begun time.Time
	asked []time.Duration
}

func (r *refusing) Get(string) (string, error) {
	r.asked = append(r.asked, time.Since(r.begun))
	return "", errors.New("the person has said no")
}

func (r *refusing) Set(string, string) error { return errors.New("no") }

// A keychain that refuses is asked less and less often, since some systems ask the person each time.
func TestRefusingKeychainIsAskedLessAndLess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "approvals.json")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := config.Parse("", []byte(`{"toolboxes":{"dev":{"mcpServers":{"a":{"command":"a"}}}}}`)).Config.Toolboxes[0].Servers[0]
	synctest.Test(t, func(t *testing.T) {
		keychain := &refusing{begun: time.Now()}
		a := New(Options{Path: path, Keychain: keychain})
		for range 6 {
			for range 3 { // several questions at the same time do not ask it more often
				if err := a.Check(t.Context(), server); err == nil || errors.Is(err, ErrChanged) {
					t.Errorf("the answer is %v", err)
				}
			}
			<-a.woken
		}
		const ms = time.Millisecond
		want := []time.Duration{0, 20*time.Second + ms, 100*time.Second + 2*ms, 420*time.Second + 3*ms, 1700*time.Second + 4*ms, 2980*time.Second + 5*ms}
		if !slices.Equal(keychain.asked, want) {
			t.Errorf("the keychain was asked after %v, want %v", keychain.asked, want)
		}
	})
}
