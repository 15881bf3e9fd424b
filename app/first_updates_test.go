package app

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/updates"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// newerVersions are the updates of a program of version 0.1.0.
type newerVersions struct{ *updates.Updates }

func (newerVersions) How(updates.Release) words.Text { return words.Text{} }

// TestFirstStepsAskAboutUpdates checks that the last of the first steps asks whether to look for newer versions, that
// the list of releases is not asked before the person says so, and that what they choose is kept.
func TestFirstStepsAskAboutUpdates(t *testing.T) {
	var requests atomic.Int32
	var answer atomic.Value
	answer.Store(`[{"tag_name":"v0.2.0"}]`)
	list := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		_, _ = w.Write([]byte(answer.Load().(string)))
	}))
	defer list.Close()
	begin := func(file string) (*bench, *updates.Updates) {
		here := updates.New(updates.Options{Address: list.URL, Current: "0.1.0", File: file})
		b, _ := newFirstBench(t, oneServer, model.FirstStepsDone, func(o *Options) { o.Updates = newerVersions{here} })
		b.greet()
		b.untilReads("Once a day, GitHub is asked for the newest version.")
		return b, here
	}
	b, here := begin(filepath.Join(t.TempDir(), "updates.json"))
	if here.Allowed() || requests.Load() > 0 || b.updatesBox().Checked {
		t.Fatalf("%d requests before it was allowed", requests.Load())
	}
	test.Tap(b.updatesBox())
	b.until(func() string { return differs(b.model.Updates.Version, "0.2.0") })
	if !here.Allowed() || requests.Load() != 1 || !b.updatesBox().Checked {
		t.Errorf("after %d requests it is not kept", requests.Load())
	}
	test.Tap(b.updatesBox())
	b.until(func() string { return differs(b.model.Updates.Version, "") })
	if here.Allowed() || b.updatesBox().Checked {
		t.Error("it is still allowed")
	}

	// Before the first release, nothing is said, and it is looked for.
	answer.Store("[]")
	b, here = begin(filepath.Join(t.TempDir(), "updates.json"))
	asked, failed := "", error(nil)
	b.computer.SetUpdates(true, func(err error) { asked, failed = "asked", err })
	b.until(func() string { return differs(asked, "asked") })
	if failed != nil || !here.Allowed() || !b.updatesBox().Checked || b.toast() != "" || requests.Load() != 2 {
		t.Errorf("before the first release: %v, %q, %d requests", failed, b.toast(), requests.Load())
	}

	// A folder is no file, so nothing can be kept.
	b, _ = begin(t.TempDir())
	test.Tap(b.updatesBox())
	b.until(func() string {
		if b.toast() == "" {
			return "it does not say that it cannot be kept"
		}
		return ""
	})
	if b.updatesBox().Checked || requests.Load() != 2 {
		t.Error("it looks as if newer versions were looked for")
	}
}

// updatesBox returns the box that allows to look for newer versions.
func (b *bench) updatesBox() *kit.Check {
	b.t.Helper()
	for _, object := range test.LaidOutObjects(b.welcome.Object()) {
		if box, ok := object.(*kit.Check); ok && box.Text == "Look for newer versions" {
			return box
		}
	}
	b.t.Fatal("there is no box")
	return nil
}
