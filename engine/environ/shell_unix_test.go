//go:build unix

package environ

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// patience is a limit that is reached only by a bug.
const patience = 30 * time.Second

// shellAt returns the path of a shell on this computer. The usual ones must exist.
func shellAt(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if name == "sh" || name == "bash" {
			t.Fatal(err)
		}
		t.Skipf("%s is not installed", name)
	}
	return path
}

// exports sets PATH, a variable that is wanted and one that is not, in the syntax of sh.
const exports = `
export PATH="$HOME/tools/bin:$PATH:$HOME/late/bin"
export HTTPS_PROXY=http://proxy.example.com:3128
export GITHUB_TOKEN=not-for-servers LANG=tlh_QO.UTF-8 TERM=changed
export ODD="two
PATH=/evil
lines"
`

func TestShellsAreAsked(t *testing.T) {
	const guarded = "case $- in *i*) ;; *) return;; esac\n"
	for _, test := range []struct {
		shell, why string
		files      map[string]string
	}{
		{"bash", "as Debian sets it up", map[string]string{".profile": `. "$HOME/.bashrc"`, ".bashrc": guarded + exports}},
		{"bash", "with .bashrc alone, as terminals read it", map[string]string{".bashrc": guarded + exports}},
		{"bash", "with a .bash_profile of an installer",
			map[string]string{".bash_profile": "export OTHER=1\n", ".profile": `. "$HOME/.bashrc"`, ".bashrc": exports}},
		{"bash", "with .bash_profile alone", map[string]string{".bash_profile": exports}},
		{"sh", "", map[string]string{".profile": exports}},
		{"dash", "", map[string]string{".profile": exports}},
		{"zsh", "interactive", map[string]string{".zshrc": exports}},
		{"zsh", "login", map[string]string{".zprofile": exports}},
		{"zsh", "with aliases and functions in the way", map[string]string{".zshrc": exports +
			"alias env='echo no' printf='echo no' command='command' \nfunction echo printf { false }\nsetopt nounset " +
			"noclobber errexit\n"}},
		{"fish", "", map[string]string{".config/fish/config.fish": `
set -gx PATH $HOME/tools/bin $PATH $HOME/late/bin
set -gx HTTPS_PROXY http://proxy.example.com:3128
set -gx GITHUB_TOKEN not-for-servers; set -gx LANG tlh_QO.UTF-8; set -gx TERM changed
set -gx ODD "two
PATH=/evil
lines"
`}},
	} {
		t.Run(test.shell+" "+test.why, func(t *testing.T) {
			t.Parallel()
			home := newHome(t, test.files)
			base := bare(home, shellAt(t, test.shell))
			env, report := complete(t.Context(), base, patience)
			if report.Problem != nil {
				t.Fatalf("the shell was not asked: %s", report.Problem)
			}
			folders := pathList(env)
			if len(folders) < 6 || folders[0] != home+"/tools/bin" || !slices.Contains(folders, home+"/late/bin") ||
				!slices.Contains(folders, "/usr/sbin") {
				t.Errorf("PATH is %q", folders)
			}
			if slices.Contains(folders, "/evil") {
				t.Error("a line of another variable counts as PATH")
			}
			for name, want := range map[string]string{
				"HTTPS_PROXY": "http://proxy.example.com:3128", "LANG": "tlh_QO.UTF-8", "TERM": "xterm-256color",
				"LOGNAME":      "someone",
				"GITHUB_TOKEN": "", "ODD": "", "SHLVL": "", "OLDPWD": "", ResolvingVariable: "",
			} {
				if got := process.Getenv(env, name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if !slices.Contains(report.Folders, Folder{home + "/tools/bin", SourceShell}) ||
				!slices.Contains(report.Variables, "HTTPS_PROXY") {
				t.Errorf("the report is %+v", report)
			}
			if strings.Contains(fmt.Sprintf("%+v", report), "proxy.example.com") {
				t.Error("the report holds a value")
			}
		})
	}
}

// TestTheParentsWordCounts: variables that the parent has set, even to nothing, are not replaced, and folders
// that it has chosen come first.
func TestTheParentsWordCounts(t *testing.T) {
	home := newHome(t, map[string]string{".profile": exports + "export LC_ALL=C.UTF-8\n"})
	base := append(bare(home, shellAt(t, "sh")), "LANG=de_DE.UTF-8", "HTTPS_PROXY=",
		"PATH=/chosen/bin:relative:/usr/bin:/chosen/bin:")
	env, _ := complete(t.Context(), base, patience)
	if got := process.Getenv(env, "LANG"); got != "de_DE.UTF-8" {
		t.Errorf("LANG is %q", got)
	}
	if got := process.Getenv(env, "HTTPS_PROXY"); got != "" {
		t.Errorf("HTTPS_PROXY is %q", got)
	}
	if got := process.Getenv(env, "LC_ALL"); got != "C.UTF-8" {
		t.Errorf("LC_ALL is %q", got)
	}
	if got := pathList(env); len(got) < 3 || got[0] != "/chosen/bin" || got[1] != "/usr/bin" ||
		got[2] != home+"/tools/bin" {
		t.Errorf("PATH is %q", got)
	}
	if got := strings.Count(strings.Join(env, "\n"), "PATH="); got != 1 {
		t.Errorf("there are %d PATHs", got)
	}
}

// TestOddStartFiles: whatever start files do, npx is found in time and no process stays behind.
func TestOddStartFiles(t *testing.T) {
	const note = `echo $$ >> "$HOME/pids"` + "\n"
	for _, test := range []struct {
		name, rc string
		answers  bool // the shell answers, at least when it is not interactive
	}{
		{"prints garbage", note + `head -c 300000 /dev/urandom; printf 'PATH=/evil\0HOME=/evil\0\033]0;title\007'; echo PATH=/evil; env` + "\n" + exports, true},
		{"prints at its end", note + exports + `trap 'printf "PATH=/evil\0"' EXIT`, true},
		{"asks something", note + `read -p "Unlock? " answer; read -t 5 other </dev/tty` + "\n" + exports, true},
		{"uses the terminal", note + `stty -echo; exec 3<>/dev/tty; tput clear; set -m; fg` + "\n" + exports, true},
		{"leaves a child", note + `sleep 600 & echo $! >> "$HOME/pids"` + "\n" + exports, true},
		{"becomes another program", note + "exec cat\n", true},
		{"ends", note + "exit 3\n", true},
		{"is broken", note + "if then fi ((\n", true},
		{"sets PATH to nothing", note + "export PATH=\n", true},
		{"traces", note + "set -xv\n" + exports, true},
		{"hangs", note + "while :; do sleep 0.05; done\n", false},
		{"hangs deaf", note + "trap '' TERM INT HUP; while :; do sleep 0.05; done\n", false},
		{"becomes a program that hangs", note + "exec sleep 600\n", false},
		{"writes without end", note + "yes PATH=/evil\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			home := nvmHome(t, map[string]string{".bashrc": test.rc})
			if !test.answers {
				if err := os.WriteFile(home+"/.profile", []byte(". ~/.bashrc\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			limit := patience
			if !test.answers {
				limit = time.Second
			}
			started := time.Now()
			base := bare(home, shellAt(t, "bash"))
			env, report := complete(t.Context(), base, limit)
			if took := time.Since(started); took > limit+patience {
				t.Errorf("the answer took %v", took)
			}
			if answered := report.Problem == nil; answered != test.answers {
				t.Errorf("the shell has answered: %v (%s)", answered, report.Problem)
			}
			// Where node is found is not checked here: this computer may have one in /usr/bin.
			if bin := home + "/.nvm/versions/node/v22.11.0/bin"; !slices.Contains(pathList(env), bin) {
				t.Errorf("%s is not in PATH: %q", bin, pathList(env))
			}
			if got := process.Getenv(env, "PATH"); strings.Contains(got, "/evil") || !strings.Contains(got, "/usr/bin") {
				t.Errorf("PATH is %q", got)
			}
			if got := process.Getenv(env, "HOME"); got != home {
				t.Errorf("HOME is %q", got)
			}
			pids, err := os.ReadFile(home + "/pids")
			if err != nil && test.answers { // on a busy computer, one second may not be enough to start
				t.Fatal(err)
			}
			for text := range strings.FieldsSeq(string(pids)) {
				pid, _ := strconv.Atoi(text)
				awaitGone(t, pid)
			}
		})
	}
}

func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there: %s", pid, stat)
		}
	}
}

// TestTheShellHasNoTerminal: the shell cannot reach our terminal, since it has its own session.
func TestTheShellHasNoTerminal(t *testing.T) {
	home := newHome(t, map[string]string{
		".profile": `(: </dev/tty) 2>/dev/null && echo yes > ~/terminal || echo no > ~/terminal; cut -d' ' -f6 /proc/$$/stat > ~/session; echo $$ > ~/pid`})
	complete(t.Context(), bare(home, shellAt(t, "bash")), patience)
	if text, err := os.ReadFile(home + "/terminal"); err != nil || string(text) != "no\n" {
		t.Errorf("the shell reaches a terminal: %q, %v", text, err)
	}
	session, err := os.ReadFile(home + "/session")
	pid, _ := os.ReadFile(home + "/pid")
	if _, noProc := os.Stat("/proc/self/stat"); noProc == nil && (err != nil || string(session) != string(pid)) {
		t.Errorf("its session is %q, its number %q, %v", session, pid, err)
	}
}

// fakeShell makes a shell that counts how often it is asked and runs a script.
func fakeShell(t *testing.T, script string) (base []string, asked func() int) {
	t.Helper()
	home := newHome(t, map[string]string{"shells/bash": "#!/bin/sh\necho >> \"$HOME/asked\"\n" + script})
	return bare(home, home+"/shells/bash"), func() int {
		text, _ := os.ReadFile(home + "/asked")
		return len(text)
	}
}

// runsScript runs what the shell is asked to, with one more folder in PATH.
const runsScript = `for script; do :; done; PATH="$HOME/added:$PATH" exec /bin/sh -c "$script"`

// TestMacsBarePathIsCompletedFirst: from Finder or launchd, Apple's own programs would be found instead of those of a
// terminal.
func TestMacsBarePathIsCompletedFirst(t *testing.T) {
	base, asked := fakeShell(t, runsScript)
	base = append(base, "LANG=C")
	home := process.Getenv(base, "HOME")
	for path, want := range map[string]bool{"/usr/bin:/bin:/usr/sbin:/sbin": true, "": true,
		"/usr/bin:/bin:" + home + "/venv": false} {
		before := asked()
		e := NewWith(setPath(base, splitPath(path)), Options{OS: "darwin"})
		env := e.For(t.Context(), "/bin/sh")
		e.Close()
		if got := asked() > before; got != want || want != (pathList(env)[0] == home+"/added") {
			t.Errorf("with PATH %q, the shell was asked: %v, and PATH is %q", path, got, pathList(env))
		}
	}
}

// TestWhatLibrariesPassOnIsCompletedFirst: an AI app that passes on only what MCP's libraries do keeps back the
// proxies and certificates of the user's terminal, which servers and our own connections need. What the shell says
// besides stays out.
func TestWhatLibrariesPassOnIsCompletedFirst(t *testing.T) {
	home := newHome(t, map[string]string{".profile": exports})
	for name, test := range map[string]struct {
		more []string
		want string
	}{
		"only those":            {nil, "http://proxy.example.com:3128"},
		"and what an entry has": {[]string{"WORKBENCH_CONFIG=/x.json"}, "http://proxy.example.com:3128"},
		"a session":             {[]string{"XDG_RUNTIME_DIR=/run/user/1000"}, ""},
		"a chosen proxy":        {[]string{"HTTPS_PROXY=http://other"}, "http://other"},
	} {
		e := NewWith(append(bare(home, shellAt(t, "sh")), test.more...), Options{OS: "linux", Limit: patience})
		for _, command := range []string{"sh", ""} {
			env := e.For(t.Context(), command)
			if got := process.Getenv(env, "HTTPS_PROXY"); got != test.want || process.Getenv(env, "GITHUB_TOKEN") != "" {
				t.Errorf("%s, %q: %q", name, command, env)
			}
		}
		e.Close()
	}
}

func TestWhatIsFoundDoesNotWait(t *testing.T) {
	base, asked := fakeShell(t, runsScript)
	base = append(base, "LANG=C")
	e := NewWith(base, Options{OS: "linux"})
	defer e.Close()
	for _, command := range []string{"sh", ""} {
		if env := e.For(t.Context(), command); !slices.Equal(env, base) {
			t.Errorf("the environment for %q is %q", command, env)
		}
	}
	home := process.Getenv(base, "HOME")
	if env := e.For(t.Context(), home+"/shells/bash"); !slices.Equal(env, base) {
		t.Errorf("the environment for a script with an interpreter is %q", env)
	}
	if asked() != 0 {
		t.Fatal("the shell was asked for programs that are there")
	}
	if env := e.For(t.Context(), "no-such-program"); pathList(env)[0] != home+"/added" {
		t.Errorf("PATH for a program that is not there is %q", pathList(env))
	}
	if asked() != 1 {
		t.Errorf("the shell was asked %d times", asked())
	}
}

// TestAScriptNeedsItsInterpreter: npx is a script for node, so it is not enough to find npx.
func TestAScriptNeedsItsInterpreter(t *testing.T) {
	home := newHome(t, map[string]string{
		"given/tool": "#!/usr/bin/env -S WORKBENCH_X=1 no-such-interpreter --flag\n", "given/fine": "#! /usr/bin/env sh\n",
		"given/direct": "#!/no/such/interpreter\n", "given/empty": "#!", "elsewhere/no-such-interpreter": "#!/bin/sh\n",
	})
	env := []string{"PATH=" + home + "/given:/usr/bin:/bin"}
	for command, want := range map[string]bool{"tool": false, "fine": true, "direct": false, "sh": true, "": false,
		home + "/given/tool": false, home: false} {
		if got := Runs(command, env); got != want {
			t.Errorf("Runs(%q) is %v", command, got)
		}
	}
	if !Runs("tool", []string{"PATH=" + home + "/given:" + home + "/elsewhere"}) {
		t.Error("the interpreter is found, and the script not")
	}
}

func TestTheShellIsAskedOnce(t *testing.T) {
	base, asked := fakeShell(t, runsScript)
	e := NewWith(base, Options{Fresh: time.Hour})
	defer e.Close()
	if asked() != 0 {
		t.Error("the shell is asked before its answer is needed")
	}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if env := e.For(t.Context(), "no-such-program"); !strings.Contains(process.Getenv(env, "PATH"), "/added") {
				t.Errorf("PATH is %q", pathList(env))
			}
		})
	}
	wg.Wait()
	if asked() != 1 {
		t.Errorf("the shell was asked %d times", asked())
	}
	one := append(e.For(t.Context(), "no-such-program"), "A=1")
	other := append(e.For(t.Context(), "no-such-program"), "A=2")
	if one[len(one)-1] != "A=1" || other[len(other)-1] != "A=2" {
		t.Error("two callers share the memory of their environments")
	}
}

// TestWhatWasInstalledSince: a program that was not found is found once it is installed, in the folder of an
// installer or in one that the shell has added to PATH since. If the shell then fails, its last answer counts.
func TestWhatWasInstalledSince(t *testing.T) {
	for name, test := range map[string]struct {
		fresh time.Duration
		asked int
	}{"later": {time.Nanosecond, 2}, "at once": {time.Hour, 1}} {
		t.Run(name, func(t *testing.T) {
			base, asked := fakeShell(t, `[ -e "$HOME/fails" ] && exit 1; [ -e "$HOME/new/x" ] && PATH="$HOME/new:$PATH";`+
				runsScript)
			home := process.Getenv(base, "HOME")
			e := NewWith(base, Options{Limit: patience, Fresh: test.fresh})
			defer e.Close()
			if env, _ := e.Complete(t.Context()); Runs("bunx", env) || Runs("x", env) {
				t.Fatal("the program is found before it is installed")
			}
			for _, path := range []string{"/.bun/bin/bunx", "/new/x"} {
				if err := os.MkdirAll(filepath.Dir(home+path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(home+path, []byte("#!/bin/sh\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			found := test.asked > 1
			for _, command := range []string{"bunx", "x"} {
				if got := Runs(command, e.For(t.Context(), command)); got != found {
					t.Errorf("%s is found: %v", command, got)
				}
			}
			if asked() != test.asked {
				t.Errorf("the shell was asked %d times", asked())
			}
			if err := os.WriteFile(home+"/fails", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			e.Refresh()
			if env, report := e.Complete(t.Context()); report.Problem != nil || Runs("x", env) != found ||
				!strings.Contains(process.Getenv(env, "PATH"), "/added") {
				t.Errorf("after a failure PATH is %q, %+v", pathList(env), report)
			}
		})
	}
}

// TestNobodyWaitsLongerThanHeWants: a caller that gives up gets the given environment; the others get the
// complete one.
func TestNobodyWaitsLongerThanHeWants(t *testing.T) {
	base, asked := fakeShell(t, `while ! [ -e "$HOME/go" ]; do sleep 0.01; done;`+runsScript)
	e := NewWith(base, Options{Limit: patience})
	defer e.Close()
	impatient, cancel := context.WithCancel(t.Context())
	patient := make(chan []string, 1)
	go func() { patient <- e.For(t.Context(), "no-such-program") }()
	for asked() == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	if env, report := e.Complete(impatient); !slices.Equal(env, base) ||
		words.Of(report.Problem).Code != "environ.not_waited_for" {
		t.Errorf("whose time is over gets %q, %+v", env, report)
	}
	if err := os.WriteFile(filepath.Join(process.Getenv(base, "HOME"), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if env := <-patient; !strings.Contains(process.Getenv(env, "PATH"), "/added") {
		t.Errorf("the caller that waits gets PATH %q", pathList(env))
	}
	// Once it is known, it takes no time.
	if env, _ := e.Complete(impatient); !strings.Contains(process.Getenv(env, "PATH"), "/added") {
		t.Error("a caller without time does not get the known environment")
	}
}

func TestCloseEndsTheQuestion(t *testing.T) {
	base, asked := fakeShell(t, `echo $$ > "$HOME/pid"; trap '' TERM; while :; do sleep 0.01; done`)
	e := NewWith(base, Options{Limit: time.Hour})
	done := make(chan struct{})
	go func() { defer close(done); e.For(t.Context(), "no-such-program") }()
	for asked() == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	started := time.Now()
	e.Close()
	<-done
	if took := time.Since(started); took > patience {
		t.Errorf("Close took %v", took)
	}
	text, _ := os.ReadFile(filepath.Join(process.Getenv(base, "HOME"), "pid"))
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
		awaitGone(t, pid)
	}
	if env := e.For(t.Context(), "another"); len(env) == 0 {
		t.Error("after Close, there is no environment")
	}
	e.Close()
}

// TestAFailureIsNotForGood: a shell that did not answer is asked again later, since the computer may have
// been busy.
func TestAFailureIsNotForGood(t *testing.T) {
	base, asked := fakeShell(t, `[ -e "$HOME/ready" ] || exit 1;`+runsScript)
	e := NewWith(base, Options{Limit: patience, Lasting: time.Nanosecond})
	defer e.Close()
	if _, report := e.Complete(t.Context()); words.Of(report.Problem).Code != "environ.ended" {
		t.Fatalf("the shell has answered, or the reason is in no language: %v", report.Problem)
	}
	if err := os.WriteFile(filepath.Join(process.Getenv(base, "HOME"), "ready"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if env, report := e.Complete(t.Context()); report.Problem != nil ||
		!strings.Contains(process.Getenv(env, "PATH"), "/added") {
		t.Errorf("when asked again, the shell gives %q, %+v", pathList(env), report)
	}
	if asked() != 3 { // the first time it was asked twice: interactive, and not
		t.Errorf("the shell was asked %d times", asked())
	}
}

// TestWhichShell: without HOME and SHELL the list of users is used, and odd values are not used as shells.
func TestWhichShell(t *testing.T) {
	users := []byte("root:x:0:0:root:/root:/bin/bash\n\nbroken\nsomeone:x:1000:1000:Some " +
		"One,,,:/home/someone:/usr/bin/zsh\nlast:x:7:7::/:/bin/false")
	for uid, want := range map[string]string{"0": "/bin/bash", "1000": "/usr/bin/zsh", "7": "/bin/false", "8": ""} {
		if got := passwdShell(users, uid); got != want {
			t.Errorf("the shell of %s is %q, want %q", uid, got, want)
		}
	}
	for _, odd := range []string{"", "bash", "/usr/sbin/nologin", "/bin/false", "/no/such/bash", "/bin"} {
		if got := shellOf([]string{"SHELL=" + odd}); got == odd || got == "" {
			t.Errorf("with SHELL=%s, the shell is %q", odd, got)
		}
	}
	if got := here(nil).Home; got == "" {
		t.Error("without HOME, there is no home")
	}
}
