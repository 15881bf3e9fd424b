package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Reasons why a process could not be started, for errors.Is.
var (
	ErrNotFound      = errors.New("command not found")
	ErrNotExecutable = errors.New("command not executable")
	ErrNoFolder      = errors.New("no such folder")
)

// explanation is a text for people with a reason for programs.
type explanation struct {
	text   string
	reason error
}

func (e *explanation) Error() string { return e.text }
func (e *explanation) Unwrap() error { return e.reason }

func explained(reason error, format string, args ...any) error {
	return &explanation{fmt.Sprintf(format, args...), reason}
}

// cause drops operation and path from an error, since our texts name them.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// LookPath finds the program for a command, in the PATH (and on Windows with
// the PATHEXT) of the given environment: [exec.LookPath] would use ours, and
// the program is meant to run in another. Relative folders in PATH are passed
// over, as os/exec does for the sake of security. A command that is a relative
// path starts at dir.
func LookPath(command string, env []string, dir string) (string, error) {
	if command == "" {
		return "", explained(ErrNotFound, "no command is given")
	}
	if strings.ContainsRune(command, 0) {
		return "", explained(ErrNotFound, "the command contains a zero byte")
	}
	if strings.ContainsRune(command, '/') || runtime.GOOS == "windows" && strings.ContainsAny(command, `\:`) {
		path := command
		if !filepath.IsAbs(path) && dir != "" {
			path = filepath.Join(dir, path)
		}
		path, err := filepath.Abs(path) // exec.Cmd would start a relative one at Dir
		if err != nil {
			return "", fmt.Errorf("finding %s: %w", command, err)
		}
		return executable(command, path, env)
	}
	list := Getenv(env, "PATH")
	var unusable error
	for _, folder := range filepath.SplitList(list) {
		if !filepath.IsAbs(folder) {
			continue
		}
		path, err := executable(command, filepath.Join(folder, command), env)
		if err == nil {
			return path, nil
		}
		if unusable == nil && !errors.Is(err, ErrNotFound) {
			unusable = err
		}
	}
	switch {
	case unusable != nil:
		return "", unusable
	case list == "":
		return "", explained(ErrNotFound, "%s was not found (PATH is empty)", command)
	default:
		return "", explained(ErrNotFound, "%s was not found (looked in PATH: %s)", command, shortened(list, 1000))
	}
}

// executable returns the path, with the extension that Windows wants, if a
// program is there.
func executable(command, path string, env []string) (string, error) {
	var refused error
	for _, candidate := range candidates(path, env) {
		info, err := os.Stat(candidate)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			continue
		case err != nil:
			refused = fmt.Errorf("%s cannot be used: %w", candidate, cause(err))
		case info.IsDir():
			refused = explained(ErrNotExecutable, "%s is a folder, not a program", candidate)
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
			refused = explained(ErrNotExecutable, "%s is not executable (chmod +x would make it so)", candidate)
		default:
			return candidate, nil
		}
	}
	if refused != nil {
		return "", refused
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() { // not among the candidates on Windows
		return "", explained(ErrNotExecutable, "%s is a folder, not a program", path)
	}
	if command == path || strings.ContainsAny(command, `/\`) {
		return "", explained(ErrNotFound, "%s was not found", path)
	}
	return "", explained(ErrNotFound, "%s was not found", command)
}

// candidates lists the files that path may mean. On Windows a name without
// extension never means the file of that very name: npm puts a Unix script
// called npx beside npx.cmd.
func candidates(path string, env []string) []string {
	if runtime.GOOS != "windows" {
		return []string{path}
	}
	var names []string
	if filepath.Ext(path) != "" {
		names = append(names, path)
	}
	extensions := Getenv(env, "PATHEXT")
	if extensions == "" {
		extensions = ".com;.exe;.bat;.cmd"
	}
	for _, extension := range strings.Split(strings.ToLower(extensions), ";") {
		if extension = strings.TrimSpace(extension); extension != "" {
			names = append(names, path+"."+strings.TrimPrefix(extension, "."))
		}
	}
	return names
}

// Getenv returns a variable's value in an environment of "NAME=value" strings;
// the last one counts, and on Windows upper and lower case are the same.
func Getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		key, value, ok := strings.Cut(env[i], "=")
		if ok && (key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)) {
			return value
		}
	}
	return ""
}

// startError says in words why a program that was found didn't start.
func startError(command, path string, err error) error {
	var start *exec.Error
	if errors.As(err, &start) {
		err = start.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The file is there, so what is missing is the interpreter it names.
		return explained(ErrNotFound, "%s could not be started: the interpreter named in the first line of %s was not found", command, path)
	case errors.Is(err, fs.ErrPermission):
		return explained(ErrNotExecutable, "%s could not be started: no permission to run %s", command, path)
	case errors.Is(err, errNotAProgram):
		return explained(ErrNotExecutable, "%s could not be started: %s %s", command, path, notAProgram)
	default:
		return fmt.Errorf("%s could not be started: %w", command, cause(err))
	}
}

// shortened cuts a text in the middle of nothing in particular.
func shortened(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
