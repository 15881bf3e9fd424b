package filewatch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// deadline is long, since the machine may be busy.
const deadline = 60 * time.Second

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte("x"), 0o600))
}

// expect waits for a change, and discards further values.
func expect(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(deadline):
		t.Fatalf("no notice of %s", what)
	}
}

func TestFollow(t *testing.T) {
	folder := t.TempDir()
	one, two := filepath.Join(folder, "One.json"), filepath.Join(folder, "two.json")
	w := New(Options{})
	defer w.Close()
	if added, complete := w.Follow(one, two); !added || !complete {
		t.Fatalf("added %v, complete %v", added, complete)
	}
	if added, complete := w.Follow(one, two); added || !complete {
		t.Fatalf("the second time: added %v, complete %v", added, complete)
	}
	write(t, one)
	expect(t, "a new file", w.Touched)
	write(t, two+".new")
	must(t, os.Rename(two+".new", two))
	expect(t, "a file put in place", w.Touched)
	stirs(t, one, func() { write(t, two) })
	if runtime.GOOS != "windows" { // on Windows, permissions are not part of the file
		stirs(t, one, func() { must(t, os.Chmod(one, 0o400)) })
	}
}

// stirs makes a change beside a file, and checks that it does not count as a change of the file.
func stirs(t *testing.T, file string, do func()) {
	t.Helper()
	w := New(Options{})
	defer w.Close()
	w.Follow(file)
	do()
	expect(t, "something beside the file", w.Stirred)
	select {
	case <-w.Touched:
		t.Error("this counts as a change of the file")
	default:
	}
}

// The folder of a file may be missing, and may be removed again.
func TestMissingFolders(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a", "b", "x.json")
	plain := New(Options{})
	defer plain.Close()
	if added, complete := plain.Follow(file); added || complete {
		t.Errorf("without Above: added %v, complete %v", added, complete)
	}
	w := New(Options{Above: true})
	defer w.Close()
	if added, complete := w.Follow(file); !added || !complete {
		t.Fatalf("added %v, complete %v", added, complete)
	}
	must(t, os.Mkdir(filepath.Join(root, "a"), 0o700))
	expect(t, "the first folder", w.Touched)
	w.Follow(file)
	must(t, os.Mkdir(filepath.Join(root, "a", "b"), 0o700))
	expect(t, "the second folder", w.Touched)
	w.Follow(file)
	write(t, file)
	expect(t, "the file", w.Touched)
	if runtime.GOOS == "windows" {
		return // watched folders cannot be removed at once there
	}
	must(t, os.Remove(file))
	expect(t, "the end of the file", w.Touched)
	must(t, os.Remove(filepath.Dir(file)))
	expect(t, "the end of the folder", w.Touched)
	must(t, os.Mkdir(filepath.Dir(file), 0o700))
	for {
		if added, complete := w.Follow(file); !complete || added {
			break // the new folder with the same name is watched
		}
		expect(t, "the new folder", w.Touched)
	}
	write(t, file)
	expect(t, "the new file", w.Touched)
}

func TestNoNotices(t *testing.T) {
	w := New(Options{Open: func() (*fsnotify.Watcher, error) { return nil, errors.New("too many watches") }})
	if added, complete := w.Follow(filepath.Join(t.TempDir(), "x")); added || complete {
		t.Errorf("added %v, complete %v", added, complete)
	}
	w.Close()
}

func TestPace(t *testing.T) {
	p := Pace{Quiet: 100, Most: 250}
	start := time.Now()
	for at, want := range []time.Duration{0: 100, 1: 100, 2: 50, 3: 0} {
		if got := p.Wait(start.Add(time.Duration(at) * 100)); got != want {
			t.Errorf("after %d: %d, want %d", at*100, got, want)
		}
	}
	p.Rest()
	if got := p.Wait(start.Add(1000)); got != 100 {
		t.Errorf("after a rest: %d", got)
	}
}

// TestFollowKubernetes: the files of a volume are replaced all at once, by a link to another folder.
func TestFollowKubernetes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link to a folder cannot be replaced there")
	}
	root := t.TempDir()
	version := func(name string) {
		t.Helper()
		must(t, os.Mkdir(filepath.Join(root, name), 0o700))
		write(t, filepath.Join(root, name, "file"))
		must(t, os.Symlink(name, filepath.Join(root, "new")))
		must(t, os.Rename(filepath.Join(root, "new"), filepath.Join(root, "..data")))
	}
	version("v1")
	must(t, os.Symlink(filepath.Join("..data", "file"), filepath.Join(root, "file")))
	changed := make(chan struct{}, 1)
	followed := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		followed <- Follow(ctx, func() { pause.Wake(changed) }, filepath.Join(root, "file"))
	}()
	for i := 2; ; i++ { // until it has begun to follow
		version(fmt.Sprint("v", i))
		must(t, os.RemoveAll(filepath.Join(root, fmt.Sprint("v", i-1))))
		select {
		case <-changed:
		case <-time.After(deadline / 300):
			if i < 300 {
				continue
			}
			t.Error("no notice")
		}
		break
	}
	cancel()
	<-followed
}
