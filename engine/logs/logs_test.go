package logs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const config = "/home/me/workbench-config.json"

// patience is how long a test waits for something that takes a moment.
const patience = time.Minute

// childVariable makes this test binary write into the folder that it names.
const childVariable = "WORKBENCH_TEST_LOGS"

// byHand returns batches that write nothing, for a test that writes itself.
func byHand() *background.Batches {
	return background.NewBatches(func() bool { return true }, time.Hour, time.Hour, time.Hour)
}

func TestMain(m *testing.M) {
	if folder := os.Getenv(childVariable); folder != "" {
		w := NewWriter(Options{Folder: Folder(folder), Config: config, Pid: os.Getpid(), Started: time.Now()})
		w.batches = byHand() // only this goroutine writes
		for i := range 40 {  // each time more than a batch
			for n := range 20 {
				w.Server("dev", "a", said(strings.Repeat("x", 1000)+fmt.Sprint(" ", i*20+n)))
			}
			w.flush()
		}
		w.Close(patience)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func said(text string) status.LogLine {
	return status.LogLine{Time: time.Now(), Source: "stderr", Text: text}
}

func texts(lines []Line) string {
	var all []string
	for _, line := range lines {
		all = append(all, line.Words().String())
	}
	return strings.Join(all, "|")
}

func newWriter(folder Folder) *Writer {
	return NewWriter(Options{Folder: folder, Config: config, Pid: 7, Client: "cursor", Started: time.Unix(1000, 0)})
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	folder := Folder(filepath.Join(t.TempDir(), "logs"))
	w := newWriter(folder)
	log := slog.New(Handler(w))
	if _, err := os.Stat(string(folder)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was done before there was a line")
	}
	w.Server("dev", "a", said("one"))
	w.SetClient("Claude")
	w.Server("dev", "a", status.LogLine{Time: time.Now(), Source: "engine",
		Said: words.New("toolbox.starting", "Command", "npx")})
	w.Server("dev", "B/ü:", said("two"))
	w.Server("other", "a", said("three"))
	log.Info("Hello", "x", 1)
	w.Close(patience)
	w.Server("dev", "a", said("after the end"))

	for s, want := range map[Selection]string{
		{Config: config, Toolbox: "dev", Server: "a"}:        "one|Starting: npx",
		{Config: config, Toolbox: "dev", Server: "B/ü:"}:     "two",
		{Config: config, Toolbox: "dev", Server: ""}:         "one|Starting: npx|two",
		{Config: config, Toolbox: "other", Server: ""}:       "three",
		{Config: "/other.json", Toolbox: "dev", Server: "a"}: "",
		{Config: config, Toolbox: "dev", Server: "no-such"}:  "",
		{Config: config, Toolbox: "no-such", Server: ""}:     "",
	} {
		if got := texts(folder.Read(s)); got != want {
			t.Errorf("%v has %q, want %q", s, got, want)
		}
	}
	if got := texts(folder.Read(Selection{})); !strings.Contains(got, "level=INFO msg=Hello x=1") {
		t.Errorf("the engine has %q", got)
	}
	if got := texts(folder.Read(Selection{Engine: 7})); !strings.Contains(got, "msg=Hello") ||
		len(folder.Read(Selection{Engine: 77})) > 0 {
		t.Errorf("by its process id the engine has %q", got)
	}
	lines := folder.Read(Selection{Config: config, Toolbox: "dev", Server: "a"})
	if lines[0].Client != "cursor" || lines[1].Client != "Claude" || lines[0].Pid != 7 || lines[0].Server != "a" ||
		lines[0].Source != "stderr" {
		t.Errorf("read are %+v", lines)
	}
}

func TestNobodyElseMayRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are inherited from the home folder there")
	}
	folder := Folder(filepath.Join(t.TempDir(), "logs"))
	file := folder.server(config, "dev", "a")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil { // as a restored backup may have it
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	w := newWriter(folder)
	w.Server("dev", "a", said("one"))
	fmt.Fprintln(engineLog{w}, "two")
	w.Close(patience)
	err := filepath.WalkDir(string(folder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSecretsAndHiddenCharactersAreNotKept(t *testing.T) {
	folder := Folder(t.TempDir())
	w := newWriter(folder)
	token := "ghp_" + strings.Repeat("x9Z", 10)
	w.Server("dev", "a", said("using "+token+"\x1b[31m red\u202e end\nnext"))
	w.Server("dev", "a", status.LogLine{Time: time.Now(), Source: "engine",
		Said: words.New("toolbox.not_connected", "Why", "bad "+token+"\x1b]0;x")})
	w.Server("dev", "a", said(strings.Repeat("long ", maxText)))
	fmt.Fprintln(engineLog{w}, "password="+token)
	w.Close(patience)
	for _, s := range []Selection{{Config: config, Toolbox: "dev", Server: "a"}, {}} {
		for _, path := range folder.files(s) {
			data, err := os.ReadFile(path)
			if err != nil || len(data) == 0 {
				t.Fatal(err)
			}
			for _, bad := range []string{token, "\x1b", `\u001b`, "\u202e", `\u202e`} {
				if strings.Contains(string(data), bad) {
					t.Errorf("%s has %q", path, bad)
				}
			}
		}
	}
	if lines := folder.Read(Selection{Config: config, Toolbox: "dev", Server: "a"}); len(lines) != 3 ||
		len(lines[2].Text) > maxText {
		t.Errorf("there are %d lines", len(lines))
	}
}

func TestSizeIsBounded(t *testing.T) {
	folder := Folder(t.TempDir())
	w := newWriter(folder)
	w.batches = byHand() // so that the test alone writes to the disk, and batches keep their order
	for i := range 5000 {
		w.Server("dev", "a", said(strings.Repeat("y", 500)+fmt.Sprint(" ", i)))
		if i%500 == 499 {
			w.flush()
		}
	}
	file := folder.server(config, "dev", "a")
	for _, path := range []string{file, old(file)} {
		if info, err := os.Stat(path); err != nil || info.Size() > MaxFile {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	lines := folder.Read(Selection{Config: config, Toolbox: "dev", Server: "a"})
	if len(lines) < 300 || !strings.HasSuffix(lines[len(lines)-1].Text, " 4999") {
		t.Errorf("there are %d lines", len(lines))
	}
	for i := range lines[1:] {
		var a, b int
		_, _ = fmt.Sscan(strings.Fields(lines[i].Text)[1], &a)
		_, _ = fmt.Sscan(strings.Fields(lines[i+1].Text)[1], &b)
		if b != a+1 {
			t.Fatalf("%d follows %d", b, a)
		}
	}
}

func TestNumberIsBounded(t *testing.T) {
	folder := Folder(t.TempDir())
	for i := range MaxEngines + 5 {
		path := folder.engine(time.Unix(int64(i), 0), i)
		if _, err := folder.appendTo(path, []byte("{}\n")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(int64(1000+i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	oldest, youngest := folder.engine(time.Unix(0, 0), 0), folder.engine(time.Unix(int64(MaxEngines+4), 0), MaxEngines+4)
	w := newWriter(folder)
	fmt.Fprintln(engineLog{w}, "a new one")
	w.Close(patience)
	if got := len(current(folder.engines())); got != MaxEngines {
		t.Errorf("there are %d", got)
	}
	if _, err := os.Stat(oldest); err == nil {
		t.Error("the oldest is still there")
	}
	if _, err := os.Stat(youngest); err != nil {
		t.Error(err)
	}
}

// TestSeveralProgramsWriteOneFile: two engines with the same server write to one file at the same time. No
// line is torn, and none is lost except by rotation.
func TestSeveralProgramsWriteOneFile(t *testing.T) {
	folder := Folder(t.TempDir())
	var children []*exec.Cmd
	for range 4 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childVariable+"="+string(folder))
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	for _, child := range children {
		if err := child.Wait(); err != nil {
			t.Error(err)
		}
	}
	file := folder.server(config, "dev", "a")
	size := int64(0)
	last := map[int]int{}
	for _, path := range []string{old(file), file} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		size += int64(len(data))
		for _, raw := range strings.Split(string(data), "\n") {
			if raw == "" {
				continue
			}
			lines := parse([]byte(raw + "\n"))
			if len(lines) != 1 {
				t.Fatalf("%q is not a line", raw)
			}
			var n int
			_, _ = fmt.Sscan(strings.Fields(lines[0].Text)[1], &n)
			if before, ok := last[lines[0].Pid]; ok && n != before+1 {
				t.Errorf("of %d, %d follows %d", lines[0].Pid, n, before)
			}
			last[lines[0].Pid] = n
		}
	}
	if size > 4*MaxFile {
		t.Errorf("%d bytes are kept", size)
	}
	if len(last) == 0 {
		t.Error("no line is stored")
	}
}

func TestNobodyWaitsForTheDisk(t *testing.T) {
	folder := Folder(t.TempDir())
	w := newWriter(folder)
	reached, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	really := w.append
	w.append = func(path string, lines []byte) (bool, error) {
		once.Do(func() { close(reached); <-release })
		return really(path, lines)
	}
	w.Server("dev", "a", said("first"))
	<-reached
	begun := time.Now()
	for range maxQueued + 50 {
		w.Server("dev", "a", said("more"))
	}
	if took := time.Since(begun); took > patience {
		t.Errorf("the writing took %v", took)
	}
	w.Close(time.Millisecond) // does not wait either
	close(release)
	w.Close(patience)
	got := texts(folder.Read(Selection{Config: config, Toolbox: "dev", Server: "a"}))
	if strings.Count(got, "more") != maxQueued || !strings.Contains(got, "50 lines before this one were not kept") {
		t.Errorf("kept are %d lines, %.200s", strings.Count(got, "more"), got)
	}
}

func TestFullDiskIsSaid(t *testing.T) {
	folder := Folder(t.TempDir())
	w := newWriter(folder)
	w.batches = byHand() // so that no batch comes between these
	really := w.append
	w.append = func(string, []byte) (bool, error) { return false, errors.New("no space left on device") }
	w.Server("dev", "a", said("lost"))
	w.Server("dev", "a", said("lost"))
	w.flush()
	w.append = really
	w.Server("dev", "a", said("kept"))
	w.flush()
	w.Close(patience)
	if got := texts(folder.Read(Selection{Config: config, Toolbox: "dev",
		Server: "a"})); got != "2 lines before this one were not kept, because the disk was too slow or full|kept" {
		t.Errorf("kept is %q", got)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWriter(Folder(filepath.Join(file, "logs"))) // the folder cannot be made
	w.Server("dev", "a", said("x"))
	w.Close(patience)
	if lines := Folder(file).Read(Selection{}); lines != nil {
		t.Errorf("%v", lines)
	}
}

func TestFollow(t *testing.T) {
	folder := Folder(filepath.Join(t.TempDir(), "logs"))
	ctx, stop := context.WithCancel(t.Context())
	got := make(chan string, 100_000)
	var following sync.WaitGroup
	following.Go(func() {
		folder.Follow(ctx, Selection{Config: config, Toolbox: "dev", Server: ""}, func(lines []Line) {
			for _, line := range lines {
				got <- line.Text
			}
		})
	})
	defer following.Wait()
	defer stop()
	expect := func(want string) {
		t.Helper()
		select {
		case text := <-got:
			if text != want {
				t.Fatalf("%.100q came, not %.100q", text, want)
			}
		case <-time.After(patience):
			t.Fatalf("%.100q does not come", want)
		}
	}
	w := newWriter(folder)
	w.Server("dev", "a", said("one"))
	expect("one")
	w.Server("dev", "b", said("another file"))
	expect("another file")
	w.Close(patience)
	w = newWriter(folder)
	w.batches = byHand() // only this goroutine writes
	for i := range 600 { // more than a file holds
		text := strings.Repeat("z", 1000) + fmt.Sprint(" ", i)
		w.Server("dev", "a", said(text))
		if i%100 == 99 {
			w.flush()
			for n := i - 99; n <= i; n++ {
				expect(strings.Repeat("z", 1000) + fmt.Sprint(" ", n))
			}
		}
	}
	w.Close(patience)
}

func TestFilesOfOthersAreLeftAlone(t *testing.T) {
	folder := Folder(t.TempDir())
	w := newWriter(folder)
	w.Server("dev", "a", said("one"))
	w.Close(patience)
	file := folder.server(config, "dev", "a")
	if err := os.WriteFile(file, []byte(
		"no JSON\n{\"time\":5}\n{}\n[]\n\n\xff\n{\"time\":\"2026-01-01T10:00:00Z\",\"source\":\"stderr\",\"text\":\"good\"}\nhalf"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := texts(folder.Read(Selection{Config: config, Toolbox: "dev", Server: "a"})); got != "good" {
		t.Errorf("read is %q", got)
	}
	if runtime.GOOS == "windows" {
		return
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, file); err != nil {
		t.Fatal(err)
	}
	w = newWriter(folder)
	w.Server("dev", "a", said("two"))
	w.Close(patience)
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("a link was followed")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("{\"time\":\"2026-01-01T10:00:00Z\",\"text\":\"x\",\"said\":{\"code\":\"toolbox.ended\"}}\n\xff\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, line := range parse(data) {
			_ = line.Words().String()
			if shown(shown(line)).Text != shown(line).Text {
				t.Errorf("%q is cleaned twice", line.Text)
			}
		}
	})
}
