package real_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows/registry"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// child makes this program print its arguments as JSON: a program in Go that a batch file starts.
const child = "WORKBENCH_REAL_ARGUMENTS"

func TestMain(m *testing.M) {
	if os.Getenv(child) != "" {
		_ = json.NewEncoder(os.Stdout).Encode(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// errMissing is the reason to leave a step out.
var errMissing = errors.New("not installed here")

// real is one run.
type real struct {
	setup, folder, work string // the setup, where it installs, and a folder for files
	home                string // the profile that the programs see
	path                string // the user's PATH before
}

// step is one line of the run.
type step struct {
	name string
	do   func(*real) (seen string, err error)
}

var steps = []step{
	{"the setup installs three programs", (*real).install},
	{"PATH has the folder once, and nothing else changed", (*real).onPath},
	{"a terminal shows what a command says", (*real).prints},
	{"a terminal gets the exit status", (*real).status},
	{"node gets arguments through a batch file", func(r *real) (string, error) {
		return r.arguments("node", "-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--")
	}},
	{"python gets arguments through a batch file", func(r *real) (string, error) {
		return r.arguments("python", "-c", "import json,sys; print(json.dumps(sys.argv[1:]))")
	}},
	{"a Go program gets arguments through a batch file", (*real).goArguments},
	{"npx from a bare environment", func(r *real) (string, error) {
		return r.tools("npx", r.bare(), "npx", "-y", "@modelcontextprotocol/server-memory")
	}},
	{"uvx from a bare environment", func(r *real) (string, error) {
		return r.tools("uvx", r.bare(), "uvx", "mcp-server-time")
	}},
	{"npx with %NVM_SYMLINK% in Path", (*real).nvm},
	{"npx of nvm-windows", func(r *real) (string, error) { return r.manager("nvm", "install 22.20.0", "use 22.20.0") }},
	{"npx of fnm", func(r *real) (string, error) { return r.manager("fnm", "install 22", "default 22") }},
	{"npx of Volta", func(r *real) (string, error) { return r.manager("volta", "install node@22") }},
	{"npx with a PATHEXT of .CPL", func(r *real) (string, error) {
		return r.tools("npx", append(r.bare(), "PATHEXT=.CPL"), "npx", "-y", "@modelcontextprotocol/server-memory")
	}},
	{"npx below PowerShell without PATHEXT", (*real).powershell},
	{"the Store's placeholder is told from a program", (*real).store},
	{"cmd.exe does not run what lies in the server's folder", (*real).currentFolder},
	{"a program with a window survives its server", (*real).survives},
	{"killed, the engine leaves nothing", (*real).killed},
	{"a server opens no console", (*real).consoles},
	{"a configuration that is held open for a second is written", (*real).held},
	{"one that is held open for a minute stays as it is, and is said", (*real).heldLong},
	{"a home on a share of the network", (*real).share},
	{"a user named Jürgen O'Brien", (*real).umlaut},
	{"a link starts the program", (*real).link},
	{"without OpenGL, the program stays", (*real).window},
	{"an update while the engine runs", (*real).update},
	{"removed, nothing is left", (*real).remove},
}

// TestReal runs the steps.
func TestReal(t *testing.T) {
	setup := os.Getenv("WORKBENCH_SETUP")
	if setup == "" {
		t.Skip("WORKBENCH_SETUP does not name a setup")
	}
	r := &real{setup: setup, work: t.TempDir(), home: t.TempDir(),
		folder: filepath.Join(os.Getenv("LOCALAPPDATA"), "Programs", "Workbench"), path: userPath()}
	for i, s := range steps {
		begun := time.Now()
		seen, err := s.do(r)
		mark, text := "ok  ", seen
		switch {
		case errors.Is(err, errMissing):
			mark, text = "left", err.Error()
		case err != nil:
			mark, text = "FAIL", err.Error()
			t.Fail()
		}
		fmt.Printf("%s %02d %s: %s (%v)\n", mark, i+1, s.name, strings.Join(strings.Fields(text), " "),
			time.Since(begun).Round(time.Millisecond))
	}
}

func (r *real) program(name string) string { return filepath.Join(r.folder, name) }

// run runs a program and returns what it prints.
func (r *real) run(env []string, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir = env, r.work
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s: %w: %.600s", filepath.Base(name), err, out)
	}
	return string(out), nil
}

// bare is the environment that Claude Desktop passes on.
func (r *real) bare() []string {
	env := []string{"USERPROFILE=" + r.home}
	for _, name := range []string{"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE",
		"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME"} {
		env = append(env, name+"="+os.Getenv(name))
	}
	return env
}

func userPath() string {
	key, err := registry.OpenKey(registry.CURRENT_USER, "Environment", registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer key.Close()
	value, _, _ := key.GetStringValue("Path")
	return value
}

func (r *real) install() (string, error) {
	if _, err := r.run(os.Environ(), r.setup, "/S"); err != nil {
		return "", err
	}
	for _, name := range []string{"workbench-desktop.exe", "workbench-engine.exe", "workbench.exe"} {
		if _, err := os.Stat(r.program(name)); err != nil {
			return "", err
		}
	}
	return r.folder, nil
}

func (r *real) onPath() (string, error) {
	now := userPath()
	if strings.Count(strings.ToLower(now), strings.ToLower(r.folder)) != 1 ||
		!strings.HasPrefix(now, strings.TrimRight(r.path, ";")) {
		return "", fmt.Errorf("it was %q and is %q", r.path, now)
	}
	return fmt.Sprintf("%d characters", len(now)), nil
}

func (r *real) prints() (string, error) {
	env := append(os.Environ(), "Path="+r.folder+";"+os.Getenv("Path"))
	out, err := r.run(env, "cmd", "/c", "workbench version")
	if err == nil && !strings.Contains(out, "windows/") {
		err = fmt.Errorf("it says %q", out)
	}
	return out, err
}

func (r *real) status() (string, error) {
	out, err := r.run(os.Environ(), r.program("workbench.exe"), "nothing")
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(out, "workbench --help") {
		return "", fmt.Errorf("it ends with %v and says %q", err, out)
	}
	return "2", nil
}

// hard are arguments that cmd.exe, or a program, could understand in another way.
var hard = []string{"100%", "%PATH%", `say "hello"`, "a & b | c > d", "^", "größer 🙂", "", `C:\a b\`, "!x!", "(1)"}

// arguments has a batch file start a program with hard arguments.
func (r *real) arguments(program string, before ...string) (string, error) {
	if _, err := exec.LookPath(program); err != nil {
		return "", errMissing
	}
	batch := filepath.Join(r.work, "start "+program+".cmd")
	if err := os.WriteFile(batch, []byte("@"+program+" %*\r\n"), 0o600); err != nil {
		return "", err
	}
	return r.compare(batch, append(os.Environ(), "PYTHONUTF8=1"), before, hard)
}

func (r *real) goArguments() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	batch := filepath.Join(r.work, "start go.cmd")
	if err := os.WriteFile(batch, []byte("@\""+self+"\" %*\r\n"), 0o600); err != nil {
		return "", err
	}
	// Go reads "" by the rules from before 2008
	plain := slices.DeleteFunc(slices.Clone(hard), func(arg string) bool { return strings.Contains(arg, `"`) })
	return r.compare(batch, append(os.Environ(), child+"=1"), nil, plain)
}

func (r *real) compare(batch string, env, before, want []string) (string, error) {
	out, said, err := process.Run(context.Background(),
		process.Spec{Command: batch, Args: append(slices.Clone(before), want...), Env: env, Dir: r.work}, 1<<20)
	if err != nil {
		return "", fmt.Errorf("%w: %.300s", err, said)
	}
	var got []string
	if err := json.Unmarshal([]byte(out), &got); err != nil || !slices.Equal(got, want) {
		return "", fmt.Errorf("it gets %q, %v", out, err)
	}
	return fmt.Sprintf("%d arguments", len(got)), nil
}

// configuration writes a configuration with one server.
func (r *real) configuration(command string, args ...string) (string, error) {
	text, err := json.Marshal(map[string]any{
		"toolboxes": map[string]any{"dev": map[string]any{
			"mcpServers": map[string]any{"s": map[string]any{"command": command, "args": args}}}}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(r.work, "config.json")
	return path, os.WriteFile(path, text, 0o600)
}

// tools starts a server by way of the installed program.
func (r *real) tools(needs string, env []string, command string, args ...string) (string, error) {
	if _, err := exec.LookPath(needs); err != nil {
		return "", errMissing
	}
	config, err := r.configuration(command, args...)
	if err != nil {
		return "", err
	}
	out, err := r.run(env, r.program("workbench.exe"), "--config", config, "tools", "dev")
	if err == nil && strings.Count(out, "\n") < 2 {
		err = fmt.Errorf("it lists %q", out)
	}
	return fmt.Sprintf("%d lines", strings.Count(out, "\n")), err
}

func (r *real) nvm() (string, error) {
	npx, err := exec.LookPath("npx")
	if err != nil {
		return "", errMissing
	}
	env := slices.DeleteFunc(r.bare(), func(entry string) bool { return strings.HasPrefix(entry, "PATH=") })
	env = append(env, `PATH=C:\Windows\System32;%NVM_SYMLINK%`, "NVM_SYMLINK="+filepath.Dir(npx))
	return r.tools("npx", env, "npx", "-y", "@modelcontextprotocol/server-memory")
}

// manager has a manager of Node.js install one, and starts npx of it where nothing else leads to a Node.js.
func (r *real) manager(name string, commands ...string) (string, error) {
	program, err := exec.LookPath(name)
	if err != nil {
		return "", errMissing
	}
	for _, command := range commands {
		if _, err := r.run(os.Environ(), program, strings.Fields(command)...); err != nil {
			return "", err
		}
	}
	env := slices.DeleteFunc(r.bare(), func(entry string) bool {
		return strings.HasPrefix(entry, "PATH=") || strings.HasPrefix(entry, "USERPROFILE=")
	})
	env = append(env, `PATH=C:\Windows\System32;C:\Windows`, "USERPROFILE="+os.Getenv("USERPROFILE"))
	return r.tools(name, env, "npx", "-y", "@modelcontextprotocol/server-memory")
}

func (r *real) powershell() (string, error) {
	if _, err := exec.LookPath("npx"); err != nil {
		return "", errMissing
	}
	config, err := r.configuration("npx", "-y", "@modelcontextprotocol/server-memory")
	if err != nil {
		return "", err
	}
	line := fmt.Sprintf("Remove-Item Env:PATHEXT; & '%s' --config '%s' tools dev; exit $LASTEXITCODE",
		r.program("workbench.exe"), config)
	return r.run(os.Environ(), "powershell", "-NoProfile", "-Command", line)
}

func (r *real) store() (string, error) {
	apps := filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "WindowsApps")
	if _, err := os.Lstat(filepath.Join(apps, "python3.exe")); err != nil {
		return "", errMissing
	}
	path, err := process.LookPath("python3", []string{"PATH=" + apps}, "")
	if err == nil {
		out, err := r.run(os.Environ(), path, "--version")
		return path + " " + out, err
	}
	if !strings.Contains(err.Error(), "placeholder") {
		return "", err
	}
	return err.Error(), nil
}

func (r *real) currentFolder() (string, error) {
	if err := os.WriteFile(filepath.Join(r.work, "whoami.bat"), []byte("@echo taken\r\n"), 0o600); err != nil {
		return "", err
	}
	batch := filepath.Join(r.work, "asks.cmd")
	if err := os.WriteFile(batch, []byte("@whoami\r\n"), 0o600); err != nil {
		return "", err
	}
	out, _, err := process.Run(context.Background(), process.Spec{Command: batch, Env: os.Environ(), Dir: r.work}, 1000)
	if err == nil && strings.Contains(out, "taken") {
		err = errors.New("it ran the file in the folder")
	}
	return out, err
}

// running returns the ids of the processes with a name.
func running(name string) map[string]bool {
	out, _ := exec.Command("tasklist", "/fo", "csv", "/nh", "/fi", "imagename eq "+name).Output()
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Split(line, `","`); len(fields) > 1 {
			found[fields[1]] = true
		}
	}
	return found
}

// appeared returns an id that was not there before.
func appeared(name string, before map[string]bool) string {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		for id := range running(name) {
			if !before[id] {
				return id
			}
		}
	}
	return ""
}
