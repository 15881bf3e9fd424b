package usage

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// testFolder is a folder in which a test stores usage, with the preferences and the log.
type testFolder struct {
	*testing.T
	folder      Folder
	preferences string
	now         time.Time
	log         strings.Builder
}

func newTestFolder(t *testing.T) *testFolder {
	home := t.TempDir()
	return &testFolder{T: t, folder: Folder(filepath.Join(home, "state", "usage")),
		preferences: filepath.Join(home, "preferences.json"),
		now:         time.Date(2026, 3, 20, 12, 0, 0, 0, time.Local)}
}

// offers returns the toolboxes of the tests.
func offers() []Toolbox {
	return []Toolbox{{Name: "dev", Servers: []string{"memory", "files"}}, {Name: "research", Servers: []string{"search"}}}
}

func (d *testFolder) engine(app string) *Writer {
	w := NewWriter(Options{Folder: d.folder, Preferences: d.preferences, Config: "/c.json", App: app,
		Logger: slog.New(slog.NewTextHandler(&d.log, nil)), Now: func() time.Time { return d.now }})
	w.SetOffered(offers)
	return w
}

func (d *testFolder) close(w *Writer) {
	w.Close(time.Minute)
}

func (d *testFolder) read() *Report {
	d.Helper()
	r, err := Read(d.folder, d.preferences, "/c.json", d.now)
	if err != nil {
		d.Fatal(err)
	}
	return r
}

// TestReport checks the report on what two apps do on two days.
func TestReport(t *testing.T) {
	d := newTestFolder(t)
	// as a full disk leaves it
	if err := errors.Join(os.MkdirAll(string(d.folder), 0o700),
		os.WriteFile(d.folder.File(d.now), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if r := d.read(); r.Count != 0 {
		t.Errorf("of nothing %d calls are kept", r.Count)
	}
	if err := os.RemoveAll(string(d.folder)); err != nil {
		t.Fatal(err)
	}
	if r := d.read(); !r.Wanted || !r.Since.IsZero() || len(r.Days) != 0 || r.Count != 0 {
		t.Errorf("before the first call there is %+v", r)
	}
	if _, err := os.Stat(string(d.folder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading has made the folder: %v", err)
	}
	d.now = d.now.AddDate(0, 0, -2)
	w := d.engine("claude-desktop")
	w.Opened("dev", 12, 4001)
	for range 9 {
		w.Call("dev", "memory", "read", 10*time.Millisecond, false)
	}
	w.Call("dev", "files", "write", 3*time.Second, true)
	w.Call("dev", "nothing", "x", 0, true)      // no such server
	w.Call("elsewhere", "memory", "x", 0, true) // there is no such toolbox
	d.close(w)
	d.now = d.now.AddDate(0, 0, 2)
	w = d.engine("")
	w.SetApp("Some\x1b[31m Client")
	w.Call("research", "search", "find", 0, false)
	d.close(w)

	r := d.read()
	if r.Count != 11 || r.Failed != 1 || r.Saved != 1001 { // dev was closed in the second session
		t.Errorf("%d calls, %d failed, %d tokens saved", r.Count, r.Failed, r.Saved)
	}
	if len(r.Days) != 3 || r.Days[0].Calls != 10 || r.Days[1].Calls != 0 || r.Days[2].Apps["Some[31m Client"] != 1 ||
		r.Days[2].Saved != 1001 || r.Days[2].Day != "2026-03-20" {
		t.Errorf("the days are %+v", r.Days)
	}
	if len(r.Apps) != 2 || r.Apps[0].App != "claude-desktop" || r.Apps[0].Count != 10 {
		t.Errorf("the apps are %+v", r.Apps)
	}
	if len(r.Servers) != 3 || r.Servers[0].Server != "memory" || r.Servers[0].TypicalMs < 8 ||
		r.Servers[0].TypicalMs > 11 || r.Servers[1].Longest != 3000 {
		t.Errorf("the servers are %+v", r.Servers)
	}
	if dev := r.Toolboxes[0]; dev != (ToolboxUse{"dev", 2, 1, 1, 12, 1001, 1001}) {
		t.Errorf("dev is %+v", dev)
	}
	if other, _ := Read(d.folder, d.preferences, "/other.json", d.now); other.Count != 0 {
		t.Errorf("another configuration has %+v", other)
	}
	use := r.LastUse("dev", "memory")
	if said := use.Say(d.now).String(); said != "Last used 2 days ago" || use.Unused(d.now.AddDate(1, 0, 0)) {
		t.Errorf("dev › memory: %q, %+v", said, use)
	}
	if use := r.LastUse("dev", "new"); !use.Say(d.now).IsZero() || use.Unused(d.now.AddDate(1, 0, 0)) {
		t.Errorf("a server that no app was offered: %+v", use)
	}
}

// TestAlwaysOpen: a toolbox that is always open saves nothing.
func TestAlwaysOpen(t *testing.T) {
	d := newTestFolder(t)
	for range 2 {
		w := d.engine("a")
		w.SetOffered(func() []Toolbox {
			return []Toolbox{{Name: "dev", Servers: []string{"memory"}, Open: true},
				{Name: "other", Servers: []string{"memory"}}}
		})
		w.Opened("dev", 12, 4000)
		d.close(w)
		w = d.engine("a")
		w.SetOffered(func() []Toolbox {
			return []Toolbox{{Name: "dev", Servers: []string{"memory"}, Open: true},
				{Name: "other", Servers: []string{"memory"}}}
		})
		w.Call("other", "memory", "read", 0, false)
		d.close(w)
	}
	if r := d.read(); r.Saved != 0 || r.Toolboxes[0] != (ToolboxUse{"dev", 4, 4, 2, 12, 1000, 0}) {
		t.Errorf("%d tokens are saved, by %+v", r.Saved, r.Toolboxes)
	}
}

// TestUnused: a server is called unused only after it was watched for long enough.
func TestUnused(t *testing.T) {
	d := newTestFolder(t)
	w := d.engine("a")
	for day := range Days + 5 {
		w.Call("dev", "memory", "read", 0, false)
		d.close(w)
		use := d.read().LastUse("dev", "files")
		if use.Unused(d.now) != (day >= Days) {
			t.Errorf("on day %d unused is %v", day, use.Unused(d.now))
		}
		since := time.Date(2026, 3, 20+max(0, day+1-Days), 12, 0, 0, 0, time.Local) // earlier days were forgotten
		want := "Not used since " + words.Day(since).String()
		if day == 0 {
			want = ""
		}
		if said := use.Say(d.now).String(); said != want {
			t.Errorf("on day %d, the text is %q", day, said)
		}
		d.now = d.now.AddDate(0, 0, 1)
		w = d.engine("a")
	}
	d.close(w)
	// with the servers and the lock
	if entries, err := os.ReadDir(string(d.folder)); err != nil || len(entries) != Days+2 {
		t.Errorf("%d files are kept, %v", len(entries), err)
	}
	if r := d.read(); len(r.Days) != Days || r.Count >= Days+5 {
		t.Errorf("%d days and %d calls are kept", len(r.Days), r.Count)
	}
}

// TestBounds: however many names there are, the sum of the calls is right and the store is limited.
func TestBounds(t *testing.T) {
	d := newTestFolder(t)
	const engines, tools = 3, 700
	for n := range engines {
		w := d.engine(strings.Repeat("very long ", 100) + strconv.Itoa(n))
		for i := range tools {
			w.Call("dev", "memory", strings.Repeat("\"", 1000)+strconv.Itoa(n*tools+i), 0, false)
			w.Call("dev", "memory", strconv.Itoa(n*tools+i)+strings.Repeat("\"", 60), 0, false)
			w.Call("dev", "files", strconv.Itoa(n*tools+i), 0, false)
		}
		d.close(w)
	}
	const apps = 150
	for n := range apps {
		w := d.engine("another " + strconv.Itoa(n))
		w.Call("dev", "memory", "read", 0, false)
		d.close(w)
	}
	r := d.read()
	if r.Count != engines*maxCounted+apps { // of the names in one interval, some are lost
		t.Errorf("%d calls are counted", r.Count)
	}
	today, _, _ := d.folder.readDay(d.now.Format(dayFormat))
	if n := len(today.calls); n > fullRows+1 {
		t.Errorf("there are %d rows", n)
	}
	if info, err := os.Stat(d.folder.File(d.now)); err != nil || info.Size() > 1<<20 {
		t.Errorf("the file is %v, %v", info, err)
	}
	for _, tool := range r.Tools {
		if len(tool.Tool) > maxName {
			t.Errorf("a name has %d bytes", len(tool.Tool))
		}
	}
}

// TestMasked: secrets in names are not stored.
func TestMasked(t *testing.T) {
	d := newTestFolder(t)
	w := d.engine("app sk-ant-api03-" + strings.Repeat("Ab1", 20))
	w.Call("dev", "memory", "token ghp_"+strings.Repeat("Ab1x", 9), 0, false)
	d.close(w)
	raw, err := os.ReadFile(d.folder.File(d.now))
	if err != nil || strings.Contains(string(raw), "Ab1") || !strings.Contains(string(raw), "memory") {
		t.Errorf("%v; a secret is kept", err)
	}
	if runtime.GOOS != "windows" {
		for range 2 { // as it was made, and after somebody has changed it
			for _, path := range []string{d.folder.File(d.now), d.folder.servers()} {
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%s: %v, %v", path, info.Mode(), err)
				}
			}
			if err := os.Chmod(d.folder.File(d.now), 0o644); err != nil {
				t.Fatal(err)
			}
			w := d.engine("a")
			w.Call("dev", "memory", "again", 0, false)
			d.close(w)
		}
	}
}

// TestKeepNothing: one member of the preferences turns usage off at once, and so does a file that cannot be
// read.
func TestKeepNothing(t *testing.T) {
	for text, wanted := range map[string]bool{`{"usage": true}`: true, `{}`: true, `{"usage": null}`: true,
		`{"usage": false}`: false, `{"usage": 7}`: false, `{"usa`: false, ``: false} {
		d := newTestFolder(t)
		w := d.engine("a")
		w.Call("dev", "memory", "read", 0, false)
		if err := os.WriteFile(d.preferences, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d.close(w)
		if _, err := os.Stat(d.folder.File(d.now)); (err == nil) != wanted {
			t.Errorf("with %q: %v", text, err)
		}
		if r := d.read(); r.Wanted != wanted || (r.Count == 1) != wanted {
			t.Errorf("with %q there is %+v", text, r)
		}
	}
}

// TestDamage: whatever another program writes into the files, no engine ends, what can be read is counted, and the
// rest is said.
func TestDamage(t *testing.T) {
	sound := newTestFolder(t)
	w := sound.engine("a")
	for i := range 300 {
		w.Call("dev", "memory", "read"+strconv.Itoa(i), 0, false)
	}
	sound.close(w)
	good := map[bool][]byte{}
	for servers, path := range map[bool]string{false: sound.folder.File(sound.now), true: sound.folder.servers()} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		good[servers] = text
	}
	row := func(members string) []byte {
		return []byte(`{"config":"` + ofConfig("/c.json") + `","app":"a","toolbox":"dev","server":"memory",` + members +
			"}\n")
	}
	damages := map[string][]byte{
		"text":         []byte(strings.Repeat("this is no store\n", 5000)),
		"one byte":     {1},
		"no end":       []byte(`{"config":"`),
		"zeros":        make([]byte, 5000),
		"too large":    bytes.Repeat([]byte("{}\n"), maxFile/3+1),
		"many rows":    bytes.Repeat(row(`"calls":{"calls":1}`), 20_000),
		"deep":         []byte(strings.Repeat("[", 1_000_000)),
		"null":         []byte("null\n"),
		"another type": []byte("[7]\n\"text\"\n7\n"),
		"a long name":  row(`"tool":"` + strings.Repeat("x", maxName+1) + `","calls":{"calls":1}`),
		"less than 0":  row(`"calls":{"calls":-5}`),
		"too many":     row(`"calls":{"calls":9223372036854775807}`),
		"steps":        row(`"calls":{"calls":1,"steps":[` + strings.Repeat("1,", 100_000) + `1]}`),
		"a box":        row(`"box":{"sessions":1,"tokens":-9}`),
		"a bad time":   row(`"seen":{"first":"yesterday"}`),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for servers := range good {
		damage := maps.Clone(damages)
		damage["cut"] = good[servers][:len(good[servers])-10]
		bad := bytes.Clone(good[servers])
		for range 1000 {
			bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
		}
		damage["noise"] = bad
		for name, text := range damage {
			d := newTestFolder(t)
			path := d.folder.File(d.now)
			if servers {
				path = d.folder.servers()
			}
			if err := errors.Join(os.MkdirAll(string(d.folder), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
				t.Fatal(err)
			}
			if r, err := Read(d.folder, d.preferences, "/c.json", d.now); err != nil || !r.Damaged || r.Count < 0 {
				t.Errorf("%s: before, a reader gets %+v, %v", name, r, err)
			}
			for range 2 {
				w := d.engine("a")
				w.Call("dev", "files", "after", 0, false)
				d.close(w)
			}
			r := d.read()
			if at := slices.IndexFunc(r.Tools, func(t ToolUse) bool {
				return t.Tool == "after"
			}); at < 0 || r.Tools[at].Count != 2 || !r.Damaged {
				t.Errorf("%s: of two calls there is %+v", name, r)
			}
			if n := strings.Count(d.log.String(), "damaged"); n != 1 {
				t.Errorf("%s: the log has %q", name, d.log.String())
			}
		}
	}
}

// TestSwitchedOffWhileItWrites: what is switched off at the last moment is not written.
func TestSwitchedOffWhileItWrites(t *testing.T) {
	d := newTestFolder(t)
	w := d.engine("a")
	w.SetOffered(func() []Toolbox { // is called after the engine has looked
		if err := os.WriteFile(d.preferences, []byte(`{"usage": false}`), 0o600); err != nil {
			t.Error(err)
		}
		return offers()
	})
	w.Call("dev", "memory", "read", 0, false)
	d.close(w)
	if _, err := os.Stat(d.folder.File(d.now)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was written: %v", err)
	}
}

// TestOneDayIsDamaged: the other days are counted, and it is said as long as that day is kept.
func TestOneDayIsDamaged(t *testing.T) {
	d := newTestFolder(t)
	for day := range Days + 1 {
		w := d.engine("a")
		w.Call("dev", "memory", "read", 0, false)
		d.close(w)
		if day == 0 {
			if err := errors.Join(os.WriteFile(d.folder.File(d.now), []byte("nonsense\n"), 0o600),
				os.Remove(d.folder.servers())); err != nil {
				t.Fatal(err)
			}
		}
		if r := d.read(); r.Damaged != (day < Days) || r.Count != min(day, Days) {
			t.Errorf("on day %d there are %d calls, damaged is %v", day, r.Count, r.Damaged)
		}
		d.now = d.now.AddDate(0, 0, 1)
	}
}

// TestServersAreLost: without the file of the servers, the days are shown all the same.
func TestServersAreLost(t *testing.T) {
	d := newTestFolder(t)
	for range 3 {
		w := d.engine("a")
		w.Call("dev", "memory", "read", 0, false)
		d.close(w)
		d.now = d.now.AddDate(0, 0, 1)
	}
	if err := os.WriteFile(d.folder.servers(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r := d.read(); r.Count < 3 || len(r.Days) != 4 || !r.Damaged ||
			r.LastUse("dev", "memory").Unused(d.now.AddDate(1, 0, 0)) {
			t.Errorf("there is %+v", r)
		}
		w := d.engine("a")
		w.Call("dev", "memory", "read", 0, false)
		d.close(w)
	}
}

// TestOfEarlierBuilds: what they kept in another form is removed.
func TestOfEarlierBuilds(t *testing.T) {
	d := newTestFolder(t)
	old := filepath.Join(string(d.folder), "usage.db")
	if err := errors.Join(os.MkdirAll(string(d.folder), 0o700), os.WriteFile(old, []byte("old"), 0o600)); err != nil {
		t.Fatal(err)
	}
	w := d.engine("a")
	w.Call("dev", "memory", "read", 0, false)
	d.close(w)
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
}

// TestForget: nothing is left, and one who writes begins again.
func TestForget(t *testing.T) {
	d := newTestFolder(t)
	if err := d.folder.Forget(); err != nil {
		t.Errorf("of nothing: %v", err)
	}
	for range 3 {
		w := d.engine("a")
		w.Call("dev", "memory", "read", 0, false)
		d.close(w)
		d.now = d.now.AddDate(0, 0, 1)
	}
	if err := d.folder.Forget(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(string(d.folder)); err != nil || len(entries) != 1 || entries[0].Name() != lockName {
		t.Errorf("%v are left, %v", entries, err)
	}
	if r := d.read(); r.Count != 0 || !r.Since.IsZero() || len(r.Days) != 0 {
		t.Errorf("there is %+v", r)
	}
}

// TestTrouble: a store that another program has locked, and one that cannot be made, only cost a line in the
// log.
func TestTrouble(t *testing.T) {
	d := newTestFolder(t)
	if err := os.MkdirAll(string(d.folder), 0o700); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(string(d.folder), lockName))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	w := d.engine("a")
	w.batches = background.NewBatches(func() bool { return true }, time.Hour, time.Hour, time.Hour) // the test writes
	w.Call("dev", "memory", "read", 0, false)
	for range 2 {
		if w.write() {
			t.Error("the counts were written although another program has the lock")
		}
	}
	if n := strings.Count(d.log.String(), "\n"); n != 1 || !strings.Contains(d.log.String(), "another program") {
		t.Errorf("the log has %q", d.log.String())
	}
	if r := d.read(); r.Count != 0 { // without the lock
		t.Errorf("a reader gets %+v", r)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	w.Call("dev", "memory", "read", 0, false)
	if !w.write() {
		t.Error("the counts were not written")
	}
	if r := d.read(); r.Count != 2 {
		t.Errorf("%d calls are kept", r.Count)
	}

	blocked := newTestFolder(t)
	if err := os.WriteFile(filepath.Dir(string(blocked.folder)), nil, 0o600); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	w = blocked.engine("a")
	w.Call("dev", "memory", "read", 0, false)
	blocked.close(w)
	if n := strings.Count(blocked.log.String(), "\n"); n != 1 {
		t.Errorf("the log has %q", blocked.log.String())
	}
}

// TestCountsWhileItIsWritten: what is counted while a write fails is added to what could not be written, whatever of
// calls and openings each of them has.
func TestCountsWhileItIsWritten(t *testing.T) {
	call := func(w *Writer) { w.Call("dev", "memory", "read", 0, false) }
	open := func(w *Writer) { w.Opened("dev", 1, 4) }
	for name, what := range map[string][2]func(*Writer){"calls": {call, call}, "openings": {open, open},
		"a call, an opening": {call, open}, "an opening, a call": {open, call}} {
		d := newTestFolder(t)
		if err := os.MkdirAll(d.folder.File(d.now), 0o700); err != nil { // the file is a folder and cannot be written
			t.Fatal(err)
		}
		w := NewWriter(Options{Folder: d.folder, Preferences: d.preferences, Config: "/c.json", Now: func() time.Time {
			return d.now
		}})
		w.batches = background.NewBatches(func() bool { return true }, time.Hour, time.Hour, time.Hour) // the test writes
		w.SetOffered(func() []Toolbox {
			what[1](w)
			w.SetOffered(offers)
			return offers()
		})
		what[0](w)
		if w.write() {
			t.Errorf("%s: a folder was written", name)
		}
		if err := os.Remove(d.folder.File(d.now)); err != nil {
			t.Fatal(err)
		}
		if !w.write() {
			t.Errorf("%s: the counts were not written", name)
		}
		r := d.read()
		if got := r.Count + r.Toolboxes[0].Opened; got != 2 {
			t.Errorf("%s: %d are counted, want 2", name, got)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	w := NewWriter(Options{Folder: Folder(b.TempDir()), Config: "/c.json"})
	for b.Loop() {
		w.Call("dev", "memory", "read_graph", time.Millisecond, false)
	}
	w.Close(time.Minute)
}
