//go:build unix

package environ

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxOutput is the largest output of a shell, in bytes. Environments have some kilobytes.
const maxOutput = 4 << 20

// askSystem asks the user's shell for its environment. It first starts the shell as a terminal does, since
// most people set PATH in files that are read only then. If that fails, it starts the shell without making it
// interactive, for start files that end in another program or wait for somebody.
func askSystem(ctx context.Context, base []string, limit time.Duration) ([]variable, Report) {
	shell := shellOf(base)
	report := Report{Shell: shell}
	if shell == "" {
		report.Problem = words.NewError("environ.no_shell")
		return nil, report
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var said []variable
	var err error
	for _, attempt := range []struct {
		flags []string
		part  time.Duration // of the limit that the first try may take
	}{{[]string{"-l", "-i", "-c"}, limit * 3 / 4}, {[]string{"-l", "-c"}, limit}} {
		attemptCtx, stop := context.WithTimeout(ctx, attempt.part)
		said, err = ask(attemptCtx, shell, attempt.flags, base)
		stop()
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	report.Problem = err
	return said, report
}

// ask starts a shell that writes its environment, and reads that. Stdin is empty, so that a start file that
// asks for something does not wait. The shell has its own session, so that it cannot reach a terminal.
func ask(ctx context.Context, shell string, flags []string, base []string) ([]variable, error) {
	mark := "workbench-" + uuid.NewString()
	// The commands are called by their paths or through "command", since start files define aliases and
	// functions. If the system's env does not know -0, it writes nothing to stdout and is called without it.
	script := fmt.Sprintf("command printf '%%s' %[1]s; /usr/bin/env -0 || /usr/bin/env; command printf '%%s' %[1]s", mark)
	if slices.Contains(flags, "-i") && passesOver(shell, here(base).Home) {
		script = ". ~/.bashrc >&2\n" + script
	}
	asked, err := process.Start(process.Spec{
		Command: shell, Args: append(flags[:len(flags):len(flags)], script), Env: shellEnv(base), Dir: here(base).Home,
		Session: true, StdinGrace: -1, TermGrace: -1,
	})
	if err != nil {
		return nil, err
	}
	asked.Stdin().Close()
	discarded := make(chan struct{})
	background.Go(func() {
		defer close(discarded)
		io.Copy(io.Discard, asked.Stderr()) // usually a complaint about job control
	})
	// This ends the reading below when the time is over, whatever the shell and its children do.
	stop := background.AfterEnd(ctx, func() { asked.Stop(ctx) })
	output, answered := read(asked.Stdout(), mark)
	stop()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	// Stopped at once: it has either answered or never will.
	stopErr := asked.Stop(ended)
	<-discarded
	<-asked.Done()
	variables, ok := parse(output, mark)
	switch {
	case ok:
		return variables, nil
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, words.NewError("environ.too_long")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !answered && len(output) >= maxOutput:
		return nil, words.NewError("environ.endless")
	case stopErr != nil:
		return nil, stopErr
	default:
		return nil, words.NewError("environ.ended")
	}
}

// passesOver reports whether a login shell skips the files that terminals read: bash then reads the first of
// three files, and .bashrc only if that file says so. Terminals on Linux start a shell that reads only
// .bashrc, so that is where people and installers set PATH.
func passesOver(shell, home string) bool {
	if filepath.Base(shell) != "bash" {
		return false
	}
	if _, err := os.Stat(filepath.Join(home, ".bashrc")); err != nil {
		return false
	}
	for _, name := range []string{".bash_profile", ".bash_login", ".profile"} {
		if text, err := os.ReadFile(filepath.Join(home, name)); err == nil {
			return !bytes.Contains(text, []byte("bashrc"))
		}
	}
	return true
}

// read reads until the mark has occurred twice, the stream ends, or the limit is reached.
func read(from io.Reader, mark string) (output []byte, answered bool) {
	reader := bufio.NewReader(io.LimitReader(from, maxOutput))
	chunk := make([]byte, 32<<10)
	for {
		n, err := reader.Read(chunk)
		output = append(output, chunk[:n]...)
		if bytes.Count(output, []byte(mark)) >= 2 {
			return output, true
		}
		if err != nil {
			return output, false
		}
	}
}

// shellEnv returns the environment for asking a shell. A dumb terminal and two variables of oh-my-zsh keep
// start files from drawing, from updating themselves and from moving into tmux. Our own variable lets users
// skip other things.
func shellEnv(base []string) []string {
	env := append([]string{}, base...)
	for _, v := range []variable{{"HOME", here(base).Home}, {"SHELL", shellOf(base)},
		{"PATH", "/usr/local/bin:/usr/bin:/bin"}} {
		if process.Getenv(base, v.name) == "" {
			env = append(env, v.name+"="+v.value)
		}
	}
	return append(env, "TERM=dumb", "DISABLE_AUTO_UPDATE=true", "ZSH_TMUX_AUTOSTART=false", ResolvingVariable+"=1")
}

// shellOf returns the user's shell: SHELL, or the shell in the list of users; empty if we do not know how to
// ask it.
func shellOf(base []string) string {
	candidates := []string{process.Getenv(base, "SHELL")}
	if current, err := user.Current(); err == nil {
		if users, err := os.ReadFile("/etc/passwd"); err == nil {
			candidates = append(candidates, passwdShell(users, current.Uid))
		}
	}
	if runtime.GOOS == "darwin" {
		candidates = append(candidates, "/bin/zsh") // users of macOS are not in that file
	}
	for _, shell := range append(candidates, "/bin/sh") {
		if !filepath.IsAbs(shell) || !known(filepath.Base(shell)) {
			continue
		}
		if _, err := process.LookPath(shell, nil, ""); err == nil {
			return shell
		}
	}
	return ""
}

// known reports whether we know how to ask a shell.
func known(name string) bool {
	switch name {
	case "bash", "zsh", "fish", "sh", "dash", "ash", "ksh", "ksh93", "mksh", "oksh", "loksh", "yash":
		return true
	}
	return false
}

// passwdShell finds the shell of a user in the text of /etc/passwd.
func passwdShell(users []byte, uid string) string {
	for line := range strings.Lines(string(users)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), ":")
		if len(fields) == 7 && fields[2] == uid {
			return fields[6]
		}
	}
	return ""
}
