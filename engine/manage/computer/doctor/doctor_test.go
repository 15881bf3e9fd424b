//go:build unix

package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// computer is a fake computer: a home folder, a shell that adds home/terminal to PATH, and apps that have home/apps in
// theirs.
type computer struct {
	home    string
	options Options
}

func newComputer(t *testing.T, files map[string]string) *computer {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &computer{home: home}
	c.write(t, "shells/bash", "#!/bin/sh\nfor script; do :; done; PATH=\"$HOME/terminal:/usr/bin:/bin\" exec /bin/sh "+
		"-c \"$script\"\n")
	for name, content := range files {
		c.write(t, name, content)
	}
	c.options = Options{
		Environment: []string{"HOME=" + home, "USER=somebody", "SHELL=" + home + "/shells/bash", "PATH=/rich"},
		AppPath:     home + "/apps",
		Location:    config.Location{Path: home + "/config/workbench-config.json"},
		History:     home + "/state/history",
		Endpoint:    home + "/run/app.sock",
		Keychain:    func() error { return nil },
	}
	return c
}

func (c *computer) write(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(c.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	mode := os.FileMode(0o600)
	if strings.HasPrefix(content, "#!") {
		mode = 0o700
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// doctor returns a Doctor that looks for programs with invented names, since programs with the real names may
// be installed anywhere.
func (c *computer) doctor(t *testing.T) *Doctor {
	t.Helper()
	d := New(c.options)
	t.Cleanup(func() { d.Close() })
	for i := range d.usual {
		for j, name := range d.usual[i].names {
			d.usual[i].names[j] = "made-up-" + name
		}
	}
	return d
}

func (c *computer) run(t *testing.T) map[string]Check {
	t.Helper()
	found := map[string]Check{}
	for _, check := range c.doctor(t).Run(t.Context(), nil) {
		found[check.ID] = check
	}
	return found
}

// expect compares the state and parts of the texts of a check.
func expect(t *testing.T, check Check, state State, parts ...string) {
	t.Helper()
	if check.State != state {
		t.Errorf("%s is %q, want %q: %s", check.ID, check.State, state, check.Describe(words.English()))
	}
	for _, part := range parts {
		if !strings.Contains(check.Describe(words.English())+"\n"+check.Advice.String(), part) {
			t.Errorf("%s does not say %q, but: %s %s", check.ID, part, check.Describe(words.English()), check.Advice)
		}
	}
}

const (
	node22 = "#!/bin/sh\necho v22.11.0\n"
	node18 = "#!/bin/sh\necho v18.0.0 is old\n"
	empty  = "#!/bin/sh\n"
)

// needing is a configuration with servers that need programs.
const needing = `{"toolboxes": {"dev": {"mcpServers": {
	"files": {"command": "made-up-npx", "args": ["-y", "x"]},
	"off": {"command": "made-up-uvx", "disabled": true},
	"box": {"command": "made-up-docker", "env": {"TOKEN": "${keyring:github}", "OTHER": "${keyring:github}-${keyring:jira}"}}
}}}}`

func TestPrograms(t *testing.T) {
	all := func(folder, node string) map[string]string {
		return map[string]string{folder + "/made-up-node": node, folder + "/made-up-npx": empty,
			folder + "/made-up-npm": empty}
	}
	merge := func(maps ...map[string]string) map[string]string {
		merged := map[string]string{}
		for _, m := range maps {
			for name, content := range m {
				merged[name] = content
			}
		}
		return merged
	}
	t.Run("found by apps", func(t *testing.T) {
		c := newComputer(t, all("apps", node22))
		found := c.run(t)
		expect(t, found["node"], OK, "Node.js 22.11.0 is at "+c.home+"/apps/made-up-node.")
		if strings.Contains(found["node"].Describe(words.English()), "terminal") {
			t.Errorf("the check explains a difference that does not exist: %s", found["node"].Detail)
		}
	})
	t.Run("found by terminals alone", func(t *testing.T) {
		c := newComputer(t, all("terminal", node22))
		expect(t, c.run(t)["node"], OK, "Node.js 22.11.0 is at "+c.home+"/terminal/made-up-node.",
			"AI apps do not find it by themselves; Workbench does")
		expect(t, c.run(t)["path"], OK, "fewer folders", c.home+"/terminal")
	})
	t.Run("another one", func(t *testing.T) {
		c := newComputer(t, merge(all("terminal", node22), all("apps", node18)))
		// The app's own folder comes first, for the engine too.
		expect(t, c.run(t)["node"], OK, "Node.js 18.0.0 is at "+c.home+"/apps")
		c.options.AppPath = "/usr/bin:/bin"
		expect(t, c.run(t)["node"], OK, "Node.js 22.11.0 is at "+c.home+"/terminal")
	})
	t.Run("not there", func(t *testing.T) {
		found := newComputer(t, nil).run(t)
		expect(t, found["node"], Notice, "None of your servers needs it, but many", "npx")
		expect(t, found["git"], OK, "not installed")
		if found["node"].Fix == nil || found["node"].Fix.URL == "" || found["git"].Fix != nil {
			t.Errorf("the fixes are %v and %v", found["node"].Fix, found["git"].Fix)
		}
	})
	t.Run("not there and needed", func(t *testing.T) {
		found := newComputer(t, map[string]string{"config/workbench-config.json": needing}).run(t)
		expect(t, found["node"], Wrong, "dev › files needs it", "Install Node.js")
		expect(t, found["uv"], Notice, "None of your servers") // its server is turned off
	})
	t.Run("without npx", func(t *testing.T) {
		expect(t, newComputer(t, map[string]string{"apps/made-up-node": node22}).run(t)["node"], Notice,
			"made-up-npx, made-up-npm, which comes with it")
	})
	t.Run("broken", func(t *testing.T) {
		found := newComputer(t, map[string]string{
			"apps/made-up-node": "#!/bin/sh\nexit 7\n", "apps/made-up-git": "#!/bin/sh\necho nothing to say\n",
			"apps/made-up-uvx": "#!/no/such/thing\n",
		}).run(t)
		expect(t, found["node"], Notice, "does not work: exited with status 7")
		expect(t, found["git"], Notice, "which version")
		expect(t, found["uv"], Notice, "interpreter")
	})
	t.Run("docker that does not run", func(t *testing.T) {
		files := map[string]string{"apps/made-up-docker": "#!/bin/sh\necho cannot connect >&2; exit 1\n"}
		expect(t, newComputer(t, files).run(t)["docker"], OK, "It is not running, and none")
		files["config/workbench-config.json"] = needing
		expect(t, newComputer(t, files).run(t)["docker"], Wrong, "not running, and dev › box needs it", "Start Docker")
		files["apps/made-up-docker"] = "#!/bin/sh\n[ \"$1\" = version ] && echo 27.3.1\n"
		expect(t, newComputer(t, files).run(t)["docker"], OK, "Docker 27.3.1 is running")
	})
	t.Run("talkative", func(t *testing.T) {
		expect(t, newComputer(t, map[string]string{
			"apps/made-up-git": "#!/bin/sh\necho git version 2.39.5; exec yes\n"}).run(t)["git"], OK, "Git 2.39.5")
	})
}

func TestConfiguration(t *testing.T) {
	c := newComputer(t, nil)
	expect(t, c.run(t)["config"], OK, "There is none yet")
	expect(t, c.run(t)["secrets"], OK, "no configuration file yet")
	c.write(t, "config/workbench-config.json", needing)
	expect(t, c.run(t)["config"], OK, "is valid, with 1 toolbox and 3 servers")
	c.write(t, "config/workbench-config.json", "{\n\"toolboxes\": oops}")
	expect(t, c.run(t)["config"], Wrong, "in line 2", "--fix")
	c.write(t, "config/workbench-config.json", `{"toolboxes": {}, "unknown": 1}`)
	expect(t, c.run(t)["config"], Notice, "1 warning")
	c.write(t, "config/workbench-config.json", `{"toolboxes": {"my tools": {"mcpServers": {}}}}`)
	expect(t, c.run(t)["config"], OK, "is valid") // what needs nothing to be done is not counted
	c.write(t, "config/workbench-config.json",
		`{"toolboxes": {"dev": {"mcpServers": {"hub": {"command": "docker", "args": ["run", "-i", "-e", "HUB_KEY", "hub"]}}}}}`)
	expect(t, c.run(t)["config"], Notice, "dev › hub needs", "HUB_KEY", "does not get it", "validate")
	c.options.Location.Path = c.home
	expect(t, c.run(t)["config"], Wrong, "folder")
}

func TestSecretsThatOthersCanRead(t *testing.T) {
	c := newComputer(t, nil)
	path := c.options.Location.Path
	look := func(content string, mode os.FileMode) Check {
		t.Helper()
		c.write(t, "config/workbench-config.json", content)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return c.run(t)["secrets"]
	}
	clear := `{"toolboxes": {"dev": {"mcpServers": {"hub": {"command": "x", "env": {"API_TOKEN": "hunter2hunter2"}}}}}}`
	expect(t, look(needing, 0o644), OK, "no harm")
	expect(t, look(clear, 0o600), OK, "Only you", "keychain")
	check := look(clear, 0o644)
	expect(t, check, Wrong, "dev › hub", "keychain")
	if check.Fix == nil || check.Fix.URL != "" {
		t.Fatalf("the fix is %v", check.Fix)
	}
	d := c.doctor(t)
	if err := d.Fix(t.Context(), check.Fix.ID); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("after the fix its mode is %v, %v", info.Mode(), err)
	}
	expect(t, c.run(t)["secrets"], OK, "Only you")
	if err := d.Fix(t.Context(), "install-node"); !errors.Is(err, ErrNoFix) {
		t.Errorf("a page is fixed with %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := d.Fix(t.Context(), FixPermissions); err == nil {
		t.Error("the permissions of a removed file are fixed")
	}
}

func TestFolders(t *testing.T) {
	c := newComputer(t, nil)
	found := c.run(t)
	expect(t, found["history"], OK, "made when it is first needed")
	expect(t, found["link"], OK, c.home+"/run")
	for _, folder := range []string{c.options.History, c.home + "/run"} {
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.Chmod(folder, 0o755)); err != nil { // whatever the umask is
			t.Fatal(err)
		}
	}
	found = c.run(t)
	expect(t, found["history"], Notice, "Others")
	expect(t, found["link"], Notice, "yours alone")
	if err := c.doctor(t).Fix(t.Context(), found["history"].Fix.ID); err != nil {
		t.Fatal(err)
	}
	expect(t, c.run(t)["history"], OK, "is kept in")
	if err := os.RemoveAll(c.options.History); err != nil {
		t.Fatal(err)
	}
	c.write(t, "state/history", "a file")
	expect(t, c.run(t)["history"], Wrong, "is a file")
	if os.Geteuid() != 0 { // root may write everything
		if err := os.Chmod(c.home+"/run", 0o500); err != nil {
			t.Fatal(err)
		}
		expect(t, c.run(t)["link"], Wrong, "cannot be written")
	}
}

func TestKeychain(t *testing.T) {
	c := newComputer(t, nil)
	expect(t, c.run(t)["keychain"], OK, "answers")
	c.options.Keychain = func() error { return errors.New("no such service") }
	expect(t, c.run(t)["keychain"], Notice, "no such service", "Nothing needs it")
	c.options.Keychain = func() error {
		return errors.New("The name org.freedesktop.secrets was not provided by any .service files")
	}
	expect(t, c.run(t)["keychain"], Notice, "cannot be reached: no program here provides one.")
	c.write(t, "config/workbench-config.json", needing)
	expect(t, c.run(t)["keychain"], Wrong, "2 secrets", "Unlock it")
}

func TestPathTellsWhyTheShellDidNotAnswer(t *testing.T) {
	c := newComputer(t, map[string]string{"shells/bash": "#!/bin/sh\nexit 1\n"})
	expect(t, c.run(t)["path"], Notice, "shells/bash) could not be asked", "WORKBENCH_RESOLVING_ENVIRONMENT")
}

// TestResultsStream checks that results arrive one at a time, that all arrive, and that the list keeps its
// order.
func TestResultsStream(t *testing.T) {
	d := newComputer(t, nil).doctor(t)
	var streamed []string
	busy := false
	checks := d.Run(t.Context(), func(check Check) {
		if busy {
			t.Error("two results at the same time")
		}
		busy = true
		streamed = append(streamed, check.ID)
		busy = false
	})
	var order []string
	for i, check := range d.Checks() {
		order = append(order, check.ID)
		if check.State != Pending || checks[i].ID != check.ID || checks[i].State == Pending || len(checks[i].Detail) == 0 {
			t.Errorf("announced %+v, found %+v", check, checks[i])
		}
	}
	slices.Sort(streamed)
	slices.Sort(order)
	if !slices.Equal(streamed, order) {
		t.Errorf("streamed are %q, announced %q", streamed, order)
	}
}

func TestRunCanBeCancelled(t *testing.T) {
	c := newComputer(t, map[string]string{"apps/made-up-node": "#!/bin/sh\n: > ~/begun\nexec sleep 600\n"})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(c.home + "/begun"); err == nil {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	started := time.Now()
	checks := c.doctor(t).Run(ctx, func(check Check) {
		if check.ID == "node" {
			t.Errorf("a cancelled check has a result: %+v", check)
		}
	})
	if checks[0].State != Pending {
		t.Errorf("the check is %+v", checks[0])
	}
	if took := time.Since(started); took > 20*time.Second {
		t.Errorf("the run took %v", took)
	}
}

// TestReportTellsNothingPrivate: the user can send a report to anybody.
func TestReportTellsNothingPrivate(t *testing.T) {
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ"
	c := newComputer(t, map[string]string{
		"config/workbench-config.json": `{"toolboxes": {"a": {"mcpServers": {"b": {"command": "made-up-npx ` + token +
			`"}}}}}`})
	d := c.doctor(t)
	checks := d.Run(t.Context(), nil)
	checks = append(checks, Check{ID: "x", Group: System, Title: words.Foreign("Odd"), State: Notice,
		Detail: []words.Text{words.Foreign("Uses " + token +
			", /Users/somebody/x, C:\\Users\\Somebody\\x, /mnt/somebody. API_TOKEN=hunter2hunter2")},
		Advice: words.Foreign("But not " + c.home + "2/y or /srv/somebodyelse; and " + c.home + ".")})
	report := d.Report([]string{"Workbench 1.2.3", "Installed in " + c.home + "/bin"}, checks)
	for _, private := range []string{c.home + "/", token, "hunter2", "/somebody/", "\\Somebody", "/somebody."} {
		if strings.Contains(report, private) {
			t.Errorf("the report holds %q:\n%s", private, report)
		}
	}
	for _, wanted := range []string{"Workbench 1.2.3", "Installed in ~/bin", "~/config/workbench-config.json",
		"note    Node.js: It was not found", "\nPrograms\n", "\nFiles\n",
		"/Users/USER/x", `C:\Users\USER\x`, "/srv/somebodyelse", "and ~."} {
		if !strings.Contains(report, wanted) {
			t.Errorf("the report does not hold %q:\n%s", wanted, report)
		}
	}
}

func TestSizesAndCounts(t *testing.T) {
	for bytes, want := range map[uint64]string{0: "0 MB", 512 << 20: "512 MB", 3 << 29: "1.5 GB", 75 << 30: "75 GB"} {
		if got := size(bytes).String(); got != want {
			t.Errorf("%d bytes are %s", bytes, got)
		}
	}
	for want, servers := range map[string][]string{"a needs it": {"a"}, "a and b need it": {"a", "b"},
		"a, b and c need it": {"a", "b", "c"}, "a, b and 2 other servers need it": {"a", "b", "c", "d"}} {
		if got := needs(servers).String(); got != want {
			t.Errorf("%q: %s", servers, got)
		}
	}
	if Worst(nil) != OK || Worst([]Check{{State: OK}, {State: Notice}, {}}) != Notice ||
		Worst([]Check{{State: Wrong}, {State: OK}}) != Wrong {
		t.Error("the worst state is another one")
	}
}

func TestPolicies(t *testing.T) {
	c := newComputer(t, nil)
	if _, there := c.run(t)["policy"]; there {
		t.Error("rules are reported although nobody looked for them")
	}
	var rules []words.Text
	c.options.Policies = func() []words.Text { return rules }
	expect(t, c.run(t)["policy"], OK)
	rules = []words.Text{words.Foreign("This is off."), words.Foreign("And that.")}
	expect(t, c.run(t)["policy"], Notice, "This is off. And that.", "Ask those")
}
