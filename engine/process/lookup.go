package process

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Reasons why a process could not be started, for errors.Is.
var (
	ErrNotFound      = errors.New("command not found")
	ErrNotExecutable = errors.New("command not executable")
	ErrNoFolder      = errors.New("no such folder")
)

// LookPath finds the program of a command in the PATH (and on Windows with the PATHEXT) of the given environment.
// [exec.LookPath] would use ours, and the program runs in another. Relative folders in PATH are skipped for security,
// as in os/exec. A command that is a relative path starts at dir. "workbench-engine" is the running program itself, or
// the one beside it. Stubs that only offer to install a program do not count.
func LookPath(command string, env []string, dir string) (string, error) {
	return lookPath(command, env, dir, checkStub)
}

// lookPath is LookPath with the system's way to recognise stubs.
func lookPath(command string, env []string, dir string, stub func(path string, env []string) error) (string, error) {
	if command == "" {
		return "", words.NewError("process.no_command").Because(ErrNotFound)
	}
	if strings.ContainsRune(command, 0) {
		return "", words.NewError("process.zero_byte").Because(ErrNotFound)
	}
	if strings.ContainsRune(command, '/') || runtime.GOOS == "windows" && strings.ContainsAny(command, `\:`) {
		path := command
		if !filepath.IsAbs(path) && dir != "" {
			path = filepath.Join(dir, path)
		}
		path, err := filepath.Abs(path) // exec.Cmd would start a relative one at Dir
		if err != nil {
			return "", words.NewError("process.lookup_failed", "Command", command, "Why", err)
		}
		path, err = executable(command, path, env)
		if err == nil {
			err = stub(path, env)
		}
		if err != nil {
			return "", err
		}
		return path, nil
	}
	if path, ok := itself(command); ok {
		return path, nil
	}
	list := Getenv(env, "PATH")
	var unusable, stubbed error
	for _, folder := range filepath.SplitList(list) {
		if !filepath.IsAbs(folder) {
			continue
		}
		path, err := executable(command, filepath.Join(folder, command), env)
		if err == nil {
			if err := stub(path, env); err != nil {
				stubbed = err
				continue
			}
			return path, nil
		}
		if unusable == nil && !errors.Is(err, ErrNotFound) {
			unusable = err
		}
	}
	switch {
	case unusable != nil:
		return "", unusable
	case stubbed != nil:
		return "", stubbed
	case list == "":
		return "", words.NewError("process.not_found_path_empty", "Command", command).Because(ErrNotFound)
	default:
		return "", words.NewError("process.not_found_in_path", "Command", command, "Path",
			visible.CutBytes(list, 1000)).Because(ErrNotFound)
	}
}

// executable returns the path of a program, with the extension on Windows, if the file exists.
func executable(command, path string, env []string) (string, error) {
	var refused error
	for _, candidate := range candidates(path, env) {
		info, err := os.Stat(candidate)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			continue
		case err != nil:
			refused = words.NewError("process.unusable", "Command", candidate, "Why", paths.Cause(err))
		case info.IsDir():
			refused = words.NewError("process.is_folder", "Path", candidate).Because(ErrNotExecutable)
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
			refused = words.NewError("process.not_executable", "Path", candidate).Because(ErrNotExecutable)
		default:
			return candidate, nil
		}
	}
	if refused != nil {
		return "", refused
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() { // not among the candidates on Windows
		return "", words.NewError("process.is_folder", "Path", path).Because(ErrNotExecutable)
	}
	if command == path || strings.ContainsAny(command, `/\`) {
		return "", words.NewError("process.not_found", "Command", path).Because(ErrNotFound)
	}
	return "", words.NewError("process.not_found", "Command", command).Because(ErrNotFound)
}

// UsualExtensions is a PATHEXT that programs and batch files are found with.
const UsualExtensions = ".COM;.EXE;.BAT;.CMD"

// RunsExe reports whether a PATHEXT has .EXE. Without it, it is somebody's mistake: no program would be found.
func RunsExe(extensions string) bool {
	return slices.ContainsFunc(strings.Split(extensions, ";"), func(e string) bool {
		return strings.EqualFold(strings.TrimSpace(e), ".exe")
	})
}

// candidates returns the files that path may mean. On Windows, a name without an extension never means the
// file with that very name: npm puts a Unix script named npx beside npx.cmd.
func candidates(path string, env []string) []string {
	if runtime.GOOS != "windows" {
		return []string{path}
	}
	var names []string
	if filepath.Ext(path) != "" {
		names = append(names, path)
	}
	extensions := Getenv(env, "PATHEXT")
	if !RunsExe(extensions) {
		extensions = UsualExtensions
	}
	for _, extension := range strings.Split(strings.ToLower(extensions), ";") {
		if extension = strings.TrimSpace(extension); extension != "" {
			names = append(names, path+"."+strings.TrimPrefix(extension, "."))
		}
	}
	return names
}

// NameAlone returns the name of the program that a path leads to, and where that name alone finds it in the PATH of
// the given environment. It is for paths to nothing: version managers give each shell a folder of its own,
// which goes with the shell. A name that is no path has no other.
func NameAlone(command string, env []string) (name, path string, ok bool) {
	at := strings.LastIndexAny(command, `/\`)
	if at < 0 {
		return "", "", false
	}
	name = command[at+1:]
	path, err := LookPath(name, env, "")
	return name, path, err == nil
}

// Getenv returns the value of a variable in an environment of "NAME=value" strings. The last one counts, and
// on Windows case is ignored.
func Getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		key, value, ok := strings.Cut(env[i], "=")
		if ok && (key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)) {
			return value
		}
	}
	return ""
}

// startError returns why a program that was found did not start.
func startError(command, path string, err error) error {
	var start *exec.Error
	if errors.As(err, &start) {
		err = start.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The file exists, so its interpreter is missing.
		return words.NewError("process.no_interpreter", "Command", command, "Path", path).Because(ErrNotFound)
	case errors.Is(err, fs.ErrPermission) && !paths.Withheld(err):
		return words.NewError("process.no_permission", "Command", command, "Path", path).Because(ErrNotExecutable)
	case errors.Is(err, errNotAProgram):
		return words.NewError("process.not_started", "Command", command, "Why",
			words.New(notAProgram, "Path", path)).Because(ErrNotExecutable)
	default:
		return words.NewError("process.not_started", "Command", command, "Why", paths.Cause(err))
	}
}
