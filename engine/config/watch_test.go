package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/workbench-mcp/workbench-desktop/engine/process/underwine"
)

// deadline is long, since the machine may be busy.
const deadline = 60 * time.Second

// never is a poll time with which only notifications can help.
const never = time.Hour

type delivery struct {
	document *Document
	err      error
}

// watching is a watcher that runs until the test ends.
type watching struct {
	t          *testing.T
	deliveries chan delivery
}

func watch(t *testing.T, w *Watcher) *watching {
	t.Helper()
	out := &watching{t, make(chan delivery, 1000)}
	w.options.Changed = func(document *Document, err error) { out.deliveries <- delivery{document, err} }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Run returned %v", err)
			}
		case <-time.After(deadline):
			t.Error("Run doesn't end")
		}
	})
	return out
}

func (w *watching) next() delivery {
	w.t.Helper()
	for {
		select {
		case d := <-w.deliveries:
			if d.err == nil && d.document.Source != nil && len(d.document.Source) == 0 {
				continue // on a busy machine, a file that is written in place may still be empty
			}
			return d
		case <-time.After(deadline):
			w.t.Fatal("no delivery")
		}
	}
}

// expect waits for a document whose only toolbox has this name. No other document may come before it.
func (w *watching) expect(toolbox string) {
	w.t.Helper()
	d := w.next()
	if d.err != nil {
		w.t.Fatalf("delivered %v instead of toolbox %s", d.err, toolbox)
	}
	if got := names(d.document); got != toolbox {
		w.t.Fatalf("delivered %q instead of toolbox %q", got, toolbox)
	}
}

// eventually waits for that document. Other documents of this test may come before it.
func (w *watching) eventually(toolbox string) {
	w.t.Helper()
	for {
		if d := w.next(); d.err == nil && names(d.document) == toolbox {
			return
		}
	}
}

func names(d *Document) string {
	var list []string
	for _, box := range d.Config.Toolboxes {
		list = append(list, box.Name)
	}
	return strings.Join(list, ",")
}

func with(toolbox string) string {
	return fmt.Sprintf(`{"toolboxes": {%q: {"mcpServers": {}}}}`, toolbox)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// replace replaces the file at once, as careful editors do.
func replace(t *testing.T, path, content string) {
	t.Helper()
	write(t, path+".new", content)
	rename(t, path+".new", path)
}

// rename retries for a moment, as editors for Windows do: there, a file that is being read cannot be
// replaced.
func rename(t *testing.T, from, to string) {
	t.Helper()
	err := os.Rename(from, to)
	for end := time.Now().Add(deadline); runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) &&
		time.Now().Before(end); {
		time.Sleep(time.Millisecond)
		err = os.Rename(from, to)
	}
	must(t, err)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func at(path string) Location { return Location{Path: path, Source: SourceDefault} }

var quick = WatchOptions{Quiet: 30 * time.Millisecond, Poll: never}

func TestWatchFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, with("one"))
	w := watch(t, NewWatcher(at(path), quick))
	w.expect("one")

	write(t, path, with("two"))
	w.expect("two")

	replace(t, path, with("three"))
	w.expect("three")

	replace(t, path, with("three")) // the same bytes are not delivered again
	must(t, os.Chtimes(path, time.Now(), time.Now()))
	replace(t, path, with("four"))
	w.expect("four")

	must(t, os.Remove(path))
	w.expect("") // a missing default file means no toolboxes
	write(t, path, with("five"))
	w.expect("five")

	write(t, path, "{")
	if d := w.next(); d.err != nil || d.document.Valid() {
		t.Fatalf("delivered %+v for a broken file", d)
	}
	write(t, path, with("six"))
	w.expect("six")
}

func TestWatchNamedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	location := Location{Path: path, Named: true, Source: SourceFlag}
	w := watch(t, NewWatcher(location, quick))
	if d := w.next(); !errors.Is(d.err, os.ErrNotExist) {
		t.Fatalf("delivered %+v for a missing file", d)
	}
	write(t, path, with("one"))
	w.expect("one")
	must(t, os.Remove(path))
	if d := w.next(); !errors.Is(d.err, os.ErrNotExist) {
		t.Fatalf("delivered %+v for a deleted file", d)
	}
	must(t, os.Mkdir(path, 0o700))
	if d := w.next(); d.err == nil || !strings.Contains(d.err.Error(), "is a folder") {
		t.Fatalf("delivered %+v for a folder", d)
	}
}

// TestWatchLast: the caller has read the file before the watcher runs.
func TestWatchLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	missing, err := Read(at(path))
	must(t, err)
	write(t, path, with("one"))
	options := quick
	options.Last = missing
	watch(t, NewWatcher(at(path), options)).expect("one") // changed meanwhile

	options.Last, err = Read(at(path))
	must(t, err)
	w := watch(t, NewWatcher(at(path), options))
	replace(t, path, with("two"))
	w.expect("two") // and not "one" before it
}

// TestWatchBriefAbsence: an editor deletes the old file before it writes the new one.
func TestWatchBriefAbsence(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, with("one"))
	options := quick
	options.Quiet = 2 * time.Second // so that the pause is shorter even on a busy machine
	w := watch(t, NewWatcher(at(path), options))
	w.expect("one")
	must(t, os.Remove(path))
	write(t, path, with("two"))
	w.expect("two")
}

func TestWatchManySaves(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, with("start"))
	w := watch(t, NewWatcher(at(path), quick))
	w.expect("start")
	for i := range 100 {
		replace(t, path, with(fmt.Sprintf("save-%d", i)))
	}
	w.eventually("save-99")
	select {
	case d := <-w.deliveries:
		t.Errorf("%+v after the last", d)
	default:
	}
}

// TestWatchRestless: a file is written all the time.
func TestWatchRestless(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, with("start"))
	w := watch(t, NewWatcher(at(path), WatchOptions{Quiet: 50 * time.Millisecond, Poll: never}))
	w.expect("start")
	end := time.Now().Add(deadline)
	for i := 0; ; i++ {
		replace(t, path, with(fmt.Sprintf("save-%d", i)))
		select {
		case d := <-w.deliveries:
			if d.err != nil {
				t.Error(d.err)
			}
			return
		default:
			if time.Now().After(end) {
				t.Fatal("never delivered")
			}
		}
	}
}

// TestWatchBusyFolder: other files in the folder change all the time.
func TestWatchBusyFolder(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, FileName)
	write(t, path, with("one"))
	w := watch(t, NewWatcher(at(path), quick))
	w.expect("one")
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				_ = os.WriteFile(filepath.Join(folder, "log"), []byte("x"), 0o600)
			}
		}
	}()
	defer func() { close(stop); <-stopped }()
	replace(t, path, with("two"))
	w.expect("two")
}

// TestWatchFolders: folders are made, removed and replaced.
func TestWatchFolders(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "a", "b")
	path := filepath.Join(folder, FileName)
	options := quick
	options.Poll = 50 * time.Millisecond // there are no notifications for folders further up
	w := watch(t, NewWatcher(at(path), options))
	w.expect("")
	must(t, os.MkdirAll(folder, 0o700))
	write(t, path, with("one"))
	w.eventually("one")
	if runtime.GOOS == "windows" {
		return // watched folders cannot be moved there
	}
	must(t, os.RemoveAll(filepath.Join(root, "a")))
	w.eventually("")
	must(t, os.MkdirAll(folder, 0o700))
	write(t, path, with("two"))
	w.eventually("two")
	other := filepath.Join(root, "other")
	must(t, os.MkdirAll(filepath.Join(other, "b"), 0o700))
	write(t, filepath.Join(other, "b", FileName), with("three"))
	must(t, os.Rename(filepath.Join(root, "a"), filepath.Join(root, "old")))
	must(t, os.Rename(other, filepath.Join(root, "a")))
	w.eventually("three")
}

func TestWatchLinks(t *testing.T) {
	underwine.Skip(t, "CreateSymbolicLink reports success and makes no link")
	root := t.TempDir()
	first, second, home := filepath.Join(root, "first"), filepath.Join(root, "second"), filepath.Join(root, "home")
	for _, folder := range []string{first, second, home} {
		must(t, os.Mkdir(folder, 0o700))
	}
	write(t, filepath.Join(first, "one.json"), with("one"))
	write(t, filepath.Join(second, "two.json"), with("two"))
	path := filepath.Join(home, FileName)
	link := func(target, path string) {
		t.Helper()
		if err := os.Symlink(target, path+".new"); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		rename(t, path+".new", path)
	}
	link(filepath.Join(first, "one.json"), path)
	w := watch(t, NewWatcher(at(path), quick))
	w.expect("one")

	replace(t, filepath.Join(first, "one.json"), with("changed"))
	w.expect("changed") // noticed in the target's folder

	link(filepath.Join("..", "second", "two.json"), path)
	w.expect("two") // noticed in the link's folder
	replace(t, filepath.Join(second, "two.json"), with("three"))
	w.expect("three") // noticed in the new target's folder
}

// TestWatchKubernetes: Kubernetes replaces the files of a volume all at once, by a link to a folder with an
// unknown name.
func TestWatchKubernetes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link to a folder cannot be replaced there")
	}
	root := t.TempDir()
	path := filepath.Join(root, FileName)
	version := func(name string) {
		t.Helper()
		must(t, os.Mkdir(filepath.Join(root, name), 0o700))
		write(t, filepath.Join(root, name, FileName), with(name))
		if err := os.Symlink(name, filepath.Join(root, "..data_tmp")); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		must(t, os.Rename(filepath.Join(root, "..data_tmp"), filepath.Join(root, "..data")))
	}
	version("v1")
	must(t, os.Symlink(filepath.Join("..data", FileName), path))
	w := watch(t, NewWatcher(at(path), quick))
	w.expect("v1")
	version("v2")
	w.expect("v2")
	must(t, os.RemoveAll(filepath.Join(root, "v1")))
	version("v3")
	w.expect("v3")
}

// TestWatchWithoutNotices: a system gives no notifications, or stops giving them.
func TestWatchWithoutNotices(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	watcher := NewWatcher(at(path), WatchOptions{Quiet: time.Millisecond, Poll: 5 * time.Millisecond})
	watcher.watching.Open = func() (*fsnotify.Watcher, error) { return nil, errors.New("too many watches") }
	w := watch(t, watcher)
	w.expect("")
	replace(t, path, with("one"))
	w.expect("one")
	replace(t, path, with("two")) // the same size, perhaps at the same time
	w.expect("two")
	must(t, os.Remove(path))
	w.expect("")
}
