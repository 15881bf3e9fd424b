package extension

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// demanding is a manifest with one setting of each kind.
const demanding = `{
  "dxt_version": "0.1", "name": "@ann/My Notes", "version": "2.0", "description": "Reads\nnotes.", "author": "Ann",
  "compatibility": {"platforms": ["linux", "win32"], "runtimes": {"node": ">=18"}, "claude_desktop": ">=99"},
  "tools": [{"name": "search"}, {"name": "read"}],
  "user_config": {
    "zone": {"type": "string", "title": "Zone", "description": "Where.", "default": "${HOME}/x ${keyring:github} ${user_config.key}"},
    "key": {"type": "string", "title": "Key", "description": "Of the account.", "sensitive": true, "required": true},
    "folders": {"type": "directory", "title": "Folders", "description": "", "multiple": true, "required": true, "default": ["${HOME}/a", "${DOCUMENTS}"]},
    "most": {"type": "number", "title": "Most", "description": "", "default": 10, "min": 1, "max": 99.5},
    "fast": {"type": "boolean", "title": "Fast", "description": "", "default": true},
    "slow": {"type": "boolean", "title": "Slow", "description": ""},
    "db": {"type": "file", "title": "Database", "description": ""}
  },
  "server": {"type": "node", "entry_point": "./server/index.js", "mcp_config": {
    "command": "node",
    "args": ["${__dirname}${/}server/index.js", "--db", "${user_config.db}", "--zone=${user_config.zone}", "${user_config.folders}", "--most", "${user_config.most}",
      "--in=${user_config.folders}", "${AWS_SECRET_ACCESS_KEY}", "$${keyring:github}", "${user_config.none}", "$${user_config.zone}", "last"],
    "env": {"Z": "${user_config.zone}", "KEY": "Bearer ${user_config.key}", "DB": "${user_config.db}", "DIRS": "${user_config.folders}", "FAST": "${user_config.fast}${user_config.slow}", "N": 5, "A": "${keyring:github}"}
  }}
}`

func TestWhatItSays(t *testing.T) {
	x := read(t, here(t), usual(good))
	if x.Name != "notes" || x.Title != "My notes" || x.Version != "1.2.0" || x.Author != "Ann" ||
		x.Description != "Reads notes." || x.Type != Node || len(x.Settings) > 0 {
		t.Errorf("the extension is %+v", x)
	}
	s := here(t)
	x = read(t, s, usual(demanding))
	if x.Title != "@ann/My Notes" || x.Author != "Ann" || x.Description != "Reads notes." || x.Runtime != ">=18" ||
		!slices.Equal(x.Tools, []string{"search", "read"}) {
		t.Errorf("the extension is %+v", x)
	}
	least, most := 1.0, 99.5
	want := []Setting{
		{Name: "zone", Kind: Text, Title: "Zone", Hint: "Where.",
			Default: []string{s.Home + "/x $${keyring:github} $${user_config.key}"}},
		{Name: "key", Kind: Text, Title: "Key", Hint: "Of the account.", Required: true, Sensitive: true},
		{Name: "folders", Kind: Folder, Title: "Folders", Required: true, Multiple: true,
			Default: []string{s.Home + "/a", s.Documents}},
		{Name: "most", Kind: Number, Title: "Most", Default: []string{"10"}, Min: &least, Max: &most},
		{Name: "fast", Kind: Switch, Title: "Fast", Default: []string{"true"}},
		{Name: "slow", Kind: Switch, Title: "Slow", Default: []string{"false"}},
		{Name: "db", Kind: File, Title: "Database"},
	}
	if !reflect.DeepEqual(x.Settings, want) {
		t.Errorf("the settings are\n%+v, not\n%+v", x.Settings, want)
	}
	for value, want := range map[string]error{"5": nil, "99.5": nil, "0": ErrTooSmall, "100": ErrTooLarge,
		"many": ErrNumber, "NaN": ErrNumber, "${MOST}": nil} {
		if err := x.Settings[3].Check(value); !errors.Is(err, want) {
			t.Errorf("%s: %v", value, err)
		}
	}
	if x.Settings[4].Check("yes") == nil || x.Settings[4].Check("true") != nil || x.Settings[0].Check("anything") != nil {
		t.Error("a switch is neither on nor off, or a text is refused")
	}
}

// noReferences checks that an entry looks up nothing when its server is started.
func noReferences(t *testing.T, s *config.Server) {
	t.Helper()
	_, err := s.Expand(config.Lookup{
		Env:     func(name string) (string, bool) { t.Errorf("the entry uses variable %q", name); return "", true },
		Keyring: func(name string) (string, error) { t.Errorf("the entry uses secret %q", name); return "", nil },
	})
	if err != nil {
		t.Errorf("the entry cannot be expanded: %v", err)
	}
}

func TestServer(t *testing.T) {
	s := here(t)
	x := read(t, s, usual(demanding))
	folder := x.Folder()
	if !strings.HasPrefix(folder, filepath.Join(s.Folder, "ann-My-Notes", "2.0-")) {
		t.Errorf("the extension is unpacked to %s", folder)
	}
	got, err := x.Server(map[string][]string{"zone": {"$${x}"}, "key": {"${keyring:dev/notes/key}"},
		"folders": {" /a b ", "", "/c"}, "most": {"7"}, "fast": {"true"}, "slow": {"false"}})
	if err != nil {
		t.Fatal(err)
	}
	sep := string(filepath.Separator)
	want := &config.Server{Name: "ann-My-Notes", Transport: config.TransportStdio, Command: "node", Cwd: folder,
		Args: []string{folder + sep + "server/index.js", "--db", "", "--zone=$${x}", "/a b", "/c", "--most", "7",
			"--in=/a b", "--in=/c",
			"$${AWS_SECRET_ACCESS_KEY}", "$$${keyring:github}", "$${user_config.none}", "$$${x}", "last"},
		Env: []config.Variable{{Name: "Z", Value: "$${x}"}, {Name: "KEY", Value: "Bearer ${keyring:dev/notes/key}"},
			{Name: "DIRS", Value: "/a b,/c"}, {Name: "FAST", Value: "truefalse"},
			{Name: "N", Value: "5"}, {Name: "A", Value: "$${keyring:github}"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the entry is\n%+v, not\n%+v", got, want)
	}
	// Whatever the manifest and its defaults combine to, nothing is looked up that the user did not enter.
	tricky := strings.Replace(demanding, `"default": 10`, `"default": "{keyring:github}"`, 1)
	tricky = strings.Replace(tricky, `"--most"`, `"$${user_config.most}", "$${HOME}", "${user_config.zone}{keyring:a}"`,
		1)
	tricky = strings.Replace(tricky, `${HOME}/x `, `$`, 1)
	tricky = strings.Replace(tricky, `"A": "${keyring:github}"`, `"A": "${user_config.dollar}${user_config.most}"`, 1)
	tricky = strings.Replace(tricky, `"user_config": {`,
		`"user_config": {"dollar": {"type": "string", "title": "", "default": "$"},`, 1)
	x = read(t, s, usual(tricky))
	answers := map[string][]string{}
	for _, setting := range x.Settings {
		answers[setting.Name] = setting.Default
	}
	got, err = x.Server(answers)
	if err != nil {
		t.Fatal(err)
	}
	noReferences(t, got)
}

func TestKinds(t *testing.T) {
	files := append(usual(good), entry{"server/tool", "\x7fELF", 0o644}, entry{"server/tool.exe", "MZ", 0},
		entry{"bare", "", 0})
	started := func(goos, old, new string) (*Extension, string) {
		t.Helper()
		s := here(t)
		s.OS = goos
		files[0].text = with(old, new)
		x := read(t, s, files)
		server, err := x.Server(nil)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(append([]string{server.Command}, server.Args...), " ")
		return x, filepath.ToSlash(strings.ReplaceAll(text, x.Folder(), "DIR"))
	}
	all := good[strings.Index(good, `"node", "entry_point"`):strings.LastIndex(good, "}")]
	for _, c := range []struct{ goos, server, want string }{
		{"linux", `"python", "entry_point": "server/index.js", "mcp_config": {"command": "python", "args": ["server/index.js"]}}`, "python server/index.js"},
		{"linux", `"uv", "entry_point": "server/index.js"}`, "uv run --directory DIR server/index.js"},
		{"linux", `"uv", "entry_point": "server/index.js", "mcp_config": {"command": "uv", "args": ["run", "x"]}}`,
			"uv run x"},
		{"linux", `"binary", "entry_point": "server/tool", "mcp_config": {"command": "server/tool", "args": ["-x"]}}`,
			"DIR/server/tool -x"},
		{"windows", `"binary", "entry_point": "server/tool", "mcp_config": {"command": "${__dirname}/server/tool"}}`,
			"DIR/server/tool.exe"},
		{"windows", `"binary", "entry_point": "server/tool.exe", "mcp_config": {"command": "server\\tool.exe"}}`,
			"DIR/server/tool.exe"},
		{"linux", `"binary", "entry_point": "bare", "mcp_config": {"command": "bare"}}`, "DIR/bare"},
		{"linux", `"node", "entry_point": "bare", "mcp_config": {"command": "bare"}}`, "bare"},
		{"darwin", `"node", "entry_point": "bare", "mcp_config": {"command": "node", "args": ["a"], "platform_overrides": {"darwin": {"args": ["b"]}}}}`, "node b"},
		{"linux", `"node", "entry_point": "bare", "mcp_config": {"command": "node", "args": ["a"], "platform_overrides": {"darwin": {"args": ["b"]}}}}`, "node a"},
		{"windows", `"node", "entry_point": "bare", "mcp_config": {"command": "node", "args": ["a"], "platform_overrides": {"win32": {"command": "node.exe"}}}}`, "node.exe a"},
	} {
		if _, got := started(c.goos, all, c.server); got != c.want {
			t.Errorf("%s, %s: the command is %q, not %q", c.goos, c.server, got, c.want)
		}
	}
}

func TestRefusedManifests(t *testing.T) {
	long := strings.Repeat("x", maxWord+1)
	many := strings.Repeat(`"x", `, maxWords)
	for _, c := range []struct{ manifest, words string }{
		{"", "not valid JSON: line 1"},
		{`[]`, "cannot be understood"},
		{"{\n\"manifest_version\": \"0.3\",\n}", "not valid JSON: line 3"},
		{with(`"manifest_version": "0.3", `, ""), "does not say which version"},
		{with(`"0.3"`, "3"), "does not say which version"},
		{with(`"0.3"`, `"0.9"`), "version 0.9 of the format"},
		{with(`"0.3"`, `"1"`), "Look for a newer Workbench"},
		{with(`"name": "notes"`, `"name": " "`), "what it is called"},
		{with(`"version": "1.2.0", `, ``), "which version it is"},
		{with(`"name": "notes"`, `"name": 7`), "something else than expected in “name”"},
		{with(`"server":`, `"sever":`), "how its server is started"},
		{with(`"type": "node"`, `"type": "docker"`), "of the type “docker”"},
		{with(`"server/index.js",`, `"server/main.js",`), "“server/main.js”, is not in it"},
		{with(`"server/index.js",`, `"../../bin/sh",`), "is not in it"},
		{with(`"mcp_config"`, `"mcp"`), "with which command"},
		{with(`"command": "node"`, `"command": " "`), "with which command"},
		{with(`["${__dirname}/server/index.js"]`, `"server/index.js"`), "something else than expected"},
		{with(`"env": {}`, `"env": []`), "cannot be understood"},
		{with(`"env": {}`, `"env": {"A B": "x"}`), "“A B”, which is no name"},
		{with(`"env": {}`, `"env": {"A": {}}`), "cannot be understood"},
		{with(`"args": [`, `"args": ["a\u202eb", `), "cannot be seen"},
		{with(`"args": [`, `"args": ["a\nb", `), "cannot be seen"},
		{with(`"args": [`, `"args": ["a\u0000b", `), "cannot be seen"},
		{with(`"args": [`, `"args": ["`+long+`", `), "too long to be read"},
		{with(`"args": [`, `"args": [`+many), "more words than anybody reads"},
		{with(`"version"`, `"compatibility": {"platforms": ["darwin", "win32"]}, "version"`),
			"It is for macOS and Windows, not for Linux."},
		{with(`"version"`, `"user_config": {"a": {"type": "color", "title": "Color"}}, "version"`),
			"“Color”, which is of the kind “color”"},
		{with(`"version"`, `"user_config": [], "version"`), "cannot be understood"},
		{with(`"command": "node"`, `"command": "${user_config.a}"`) + "x", "not valid JSON"},
		{with(`"name": "notes"`, `"name": "workbench", "homepage": "https://github.com/workbench-mcp/workbench-desktop#x"`),
			"starts Workbench itself"},
		{strings.Replace(with(`"args": [`,
			`"args": [`+strings.Repeat(`"`+strings.Repeat("${user_config.a}", 1000)+`", `, 10)), `"version"`,
			`"user_config": {"a": {"type": "string", "title": "", "default": "`+strings.Repeat("y", 4000)+`"}}, "version"`, 1),
			"longer than anybody can read"},
	} {
		refused(t, here(t), packed(t, usual(c.manifest)), c.words)
	}
	// Some editors write a byte order mark at the beginning of the file. It is accepted.
	read(t, here(t), usual("\ufeff"+good))
}

// everything lists the contents of a folder and its subfolders.
func everything(t *testing.T, folder string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && path != folder {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(folder)+"/"))
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return list
}

func TestUnpack(t *testing.T) {
	s := here(t)
	binary := with(`"type": "node", "entry_point": "server/index.js"`, `"type": "binary", "entry_point": "server/tool"`)
	binary = strings.Replace(binary, `"command": "node"`, `"command": "server/tool"`, 1)
	x := read(t, s, append(usual(binary), entry{"server/tool", "#!/bin/sh\n", 0}, entry{"server/script.sh", "", 0o4755},
		entry{"empty/", "", 0}, entry{"a/b/c.txt", "c", 0o666}))
	if len(everything(t, s.Home)) > 0 {
		t.Error("reading the extension has written files")
	}
	if made, err := x.Unpack(t.Context()); !made || err != nil {
		t.Fatal(made, err)
	}
	want := []string{"a", "a/b", "a/b/c.txt", "empty", "manifest.json", "server", "server/index.js", "server/script.sh",
		"server/tool"}
	if got := everything(t, x.Folder()); !slices.Equal(got, want) {
		t.Errorf("unpacked is %q", got)
	}
	if left := everything(t, s.Folder); len(left) != len(want)+2 {
		t.Errorf("there is more: %q", left)
	}
	if runtime.GOOS != "windows" {
		for name, mode := range map[string]fs.FileMode{"server/tool": 0o700, "server/script.sh": 0o700, "a/b/c.txt": 0o600,
			"server/index.js": 0o600, "server": fs.ModeDir | 0o700, "": fs.ModeDir | 0o700} {
			if info, err := os.Stat(filepath.Join(x.Folder(), name)); err != nil || info.Mode() != mode {
				t.Errorf("%s has the mode %v, %v", name, info.Mode(), err)
			}
		}
	}

	// Unpacking again does nothing, and files that the server has added stay.
	own := []string{"notes.db", "server/.venv/bin/python", "a/b/cache"}
	for _, name := range own {
		path := filepath.Join(x.Folder(), filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("own"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	all := everything(t, s.Folder)
	if made, err := x.Unpack(t.Context()); made || err != nil {
		t.Error("again:", made, err)
	}
	if got := everything(t, s.Folder); !slices.Equal(got, all) {
		t.Errorf("there is %q", got)
	}

	// Damaged files are repaired in place. made stays false, since another server may run from this folder:
	// whoever cancels must not remove it.
	for _, spoil := range []func(string) error{
		os.Remove,
		func(path string) error { return os.WriteFile(path, []byte("#!/bin/no\n"), 0o700) },
		func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/bin/sh", path)) },
	} {
		if err := spoil(filepath.Join(x.Folder(), "server", "tool")); err != nil {
			t.Fatal(err)
		}
		if made, err := x.Unpack(t.Context()); made || err != nil {
			t.Error("spoiled:", made, err)
		}
		tool := filepath.Join(x.Folder(), "server", "tool")
		if text, err := os.ReadFile(tool); string(text) != "#!/bin/sh\n" || err != nil {
			t.Errorf("the file is %q, %v", text, err)
		}
		if info, err := os.Lstat(tool); err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" &&
			info.Mode() != 0o700 {
			t.Errorf("the file is %v, %v", info, err)
		}
		if got := everything(t, s.Folder); !slices.Equal(got, all) {
			t.Errorf("there is %q", got)
		}
	}
	if err := os.RemoveAll(filepath.Join(x.Folder(), "a", "b")); err != nil {
		t.Fatal(err)
	}
	if made, err := x.Unpack(t.Context()); made || err != nil {
		t.Error("without a folder:", made, err)
	}
	all = slices.DeleteFunc(all, func(path string) bool { return strings.HasSuffix(path, "a/b/cache") })
	if got := everything(t, s.Folder); !slices.Equal(got, all) {
		t.Errorf("there is %q", got)
	}

	// Another bundle with the same name and version gets its own folder.
	other := read(t, s, append(usual(good), entry{"more", "", 0}))
	if filepath.Dir(other.Folder()) != filepath.Dir(x.Folder()) || other.Folder() == x.Folder() {
		t.Errorf("the other version is unpacked to %s", other.Folder())
	}
	if _, err := other.Unpack(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(other.Folder()); err != nil {
		t.Error("the other version was removed, too")
	}
	if err := other.Remove(); err != nil || len(everything(t, filepath.Dir(s.Folder))) > 0 {
		t.Errorf("left is %q, %v", everything(t, s.Home), err)
	}
}

// TestInTheWay: something else that is in the place of the bundle's files is not removed.
func TestInTheWay(t *testing.T) {
	file := func(path string) error { return os.WriteFile(path, []byte("own"), 0o600) }
	folder := func(path string) error { return os.Mkdir(path, 0o700) }
	link := func(path string) error { return os.Symlink(filepath.Dir(path), path) }
	if runtime.GOOS == "windows" {
		link = file // not every user may make links on Windows
	}
	for _, c := range []struct {
		name     string
		obstruct func(string) error
	}{{"", file}, {"server", file}, {"server", link}, {"server/index.js", folder}} {
		x := read(t, here(t), usual(good))
		if _, err := x.Unpack(t.Context()); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(x.Folder(), filepath.FromSlash(c.name))
		if err := errors.Join(os.RemoveAll(path), c.obstruct(path)); err != nil {
			t.Fatal(err)
		}
		before := everything(t, filepath.Dir(x.Folder()))
		var why *Error
		if made, err := x.Unpack(t.Context()); made || !errors.As(err, &why) ||
			why.Message.String() != path+" is in the way of the extension's files." {
			t.Errorf("%q: %v, %v", c.name, made, err)
		}
		if got := everything(t, filepath.Dir(x.Folder())); !slices.Equal(got, before) {
			t.Errorf("%q: there is %q, not %q", c.name, got, before)
		}
	}
}

// TestRemoveAtOnce: while a folder is being removed it is either complete or gone, so that nobody mistakes
// files about to go for files that stay.
func TestRemoveAtOnce(t *testing.T) {
	x := read(t, here(t), usual(good))
	if _, err := x.Unpack(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		if err := os.WriteFile(filepath.Join(x.Folder(), fmt.Sprint("own", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	removed := make(chan error, 1)
	go func() { removed <- x.Remove() }()
	for {
		_, gone := os.Lstat(filepath.Join(x.Folder(), "own1999"))
		if _, err := os.Lstat(x.Folder()); err != nil {
			break
		} else if gone != nil {
			t.Error("a part of the folder is gone while the folder exists")
			break
		}
	}
	if err := <-removed; err != nil {
		t.Error(err)
	}
	if left := everything(t, filepath.Dir(x.here.Folder)); len(left) > 0 {
		t.Errorf("left is %q", left)
	}
	if err := x.Remove(); err != nil {
		t.Error("once more:", err)
	}
}

// TestUnpackWhileShown: an extension can be shown while it is unpacked. This test is for the race detector.
func TestUnpackWhileShown(t *testing.T) {
	x := read(t, here(t), usual(good))
	unpacked := make(chan error, 1)
	go func() {
		_, err := x.Unpack(t.Context())
		unpacked <- err
	}()
	for range 100 {
		if server, err := x.Server(nil); err != nil || server.Cwd != x.Folder() {
			t.Fatal(server, err)
		}
	}
	if err := <-unpacked; err != nil {
		t.Error(err)
	}
}

// TestUnpackingFails: a cancelled or killed Unpack leaves nothing behind for long, and errors do not name
// temporary folders.
func TestUnpackingFails(t *testing.T) {
	s := here(t)
	path := saved(t, packed(t, usual(good)))
	x, err := Read(t.Context(), path, s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Unpack(ctx); !errors.Is(err, context.Canceled) || len(everything(t, s.Home)) > 0 {
		t.Errorf("after cancelling: %v, %q", err, everything(t, s.Home))
	}

	killed, busy := filepath.Join(s.Folder, unpacking+"1"), filepath.Join(s.Folder, unpacking+"2")
	for _, folder := range []string{killed, busy} {
		if err := os.MkdirAll(filepath.Join(folder, "server"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(killed, long, long); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Unpack(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("the files of the killed unpacking are still there")
	}
	if _, err := os.Stat(busy); err != nil {
		t.Error("the files of another program's unpacking were removed")
	}

	if err := os.WriteFile(path, packed(t, usual(with("1.2.0", "1.2.1"))), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Unpack(t.Context()); err == nil || !strings.Contains(err.Error(), "has changed since") {
		t.Errorf("another file: %v", err)
	}

	s = here(t)
	if err := os.WriteFile(filepath.Dir(s.Folder), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x = read(t, s, usual(good))
	var why *Error
	if _, err := x.Unpack(t.Context()); !errors.As(err, &why) ||
		!strings.Contains(why.Message.String(), "could not be unpacked to "+s.Folder+":") ||
		strings.Contains(why.Message.String(), unpacking) {
		t.Errorf("no room: %v", err)
	}
}

func TestThisSystem(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the folders of Linux")
	}
	home := t.TempDir()
	env := map[string]string{"HOME": home}
	s, err := ThisSystem(func(name string) string { return env[name] })
	if err != nil || s.Folder != filepath.Join(home, ".local/share/workbench/extensions") ||
		s.Desktop != filepath.Join(home, "Desktop") {
		t.Errorf("%+v, %v", s, err)
	}
	env["XDG_DATA_HOME"], env["XDG_CONFIG_HOME"] = "relative", filepath.Join(home, "c")
	if err := os.Mkdir(env["XDG_CONFIG_HOME"], 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# x\nXDG_DESKTOP_DIR=\"$HOME/Schreibtisch\"\nXDG_DOCUMENTS_DIR=\"/mnt/d\"\nXDG_DOWNLOAD_DIR=\"nowhere\"\n"
	if err := os.WriteFile(filepath.Join(env["XDG_CONFIG_HOME"], "user-dirs.dirs"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = ThisSystem(func(name string) string { return env[name] })
	if err != nil || s.Desktop != filepath.Join(home, "Schreibtisch") || s.Documents != "/mnt/d" ||
		s.Downloads != filepath.Join(home, "Downloads") || !strings.HasPrefix(s.Folder, home) {
		t.Errorf("%+v, %v", s, err)
	}
	env["XDG_DATA_HOME"] = "/data"
	if s, err = ThisSystem(func(name string) string {
		return env[name]
	}); err != nil || s.Folder != "/data/workbench/extensions" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestNamed(t *testing.T) {
	for path, want := range map[string]bool{"/a/b.mcpb": true, "B.DXT": true, "c.json": false, "mcpb": false,
		"x.zip": false} {
		if Named(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
	for text, want := range map[string]string{"@ann/My Notes": "ann-My-Notes", "...": "extension", "con": "extension-con",
		"1.0.0": "1.0.0", strings.Repeat("é", 100): "extension", "a/../b": "a-..-b"} {
		if got := folderName(text); got != want {
			t.Errorf("%s becomes the folder %s, not %s", text, got, want)
		}
	}
}
