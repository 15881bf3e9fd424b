package pool

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// shareable returns the environment that a shared server gets of the one of an app: without the variables of the
// app's terminal and session, and without the folders of PATH that belong to the app alone, so that two apps of one
// user have the same. command is that of the server.
func shareable(environ []string, command, folder string) []string {
	kept := make([]string, 0, len(environ))
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); !ofOneApp(inOneCase(name)) {
			kept = append(kept, entry)
		}
	}
	at := slices.IndexFunc(kept, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return inOneCase(name) == "PATH"
	})
	if at < 0 {
		return kept
	}
	name, path, _ := strings.Cut(kept[at], "=")
	kept[at] = name + "=" + commonPath(path, process.Getenv(environ, "TMPDIR"))
	before, err := process.LookPath(command, environ, folder)
	if after, errAfter := process.LookPath(command, kept, folder); err == nil && (errAfter != nil || after != before) {
		kept[at] = name + "=" + path // the server is found only in a folder of this app
	}
	return kept
}

// inOneCase returns the name of a variable in upper case if the system does not tell the cases apart.
func inOneCase(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// ofOneApp reports whether a variable says something of the terminal, the session or the start of one app. Servers do
// without, and get what is usual.
func ofOneApp(name string) bool {
	switch name {
	case "TERM", "COLORTERM", "NO_COLOR", "TERMINFO", "TERMINFO_DIRS",
		"XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "WAYLAND_SOCKET",
		"XDG_SESSION_ID", "XDG_SESSION_CLASS", "XDG_SEAT", "XDG_VTNR",
		"FNM_MULTISHELL_PATH", "COMMAND_MODE", "__CF_USER_TEXT_ENCODING", "PSMODULEPATH":
		return true
	}
	return false
}

// commonPath returns a PATH without the folders that belong to one app, and with each other folder once. Agents put
// folders of their own in front: with a random name for each run, or with the programs that came with them.
func commonPath(path, temporary string) string {
	var kept []string
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		folder = filepath.Clean(folder)
		if !ofApp(folder, temporary) && !slices.Contains(kept, folder) {
			kept = append(kept, folder)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

// ofApp reports whether a folder belongs to one app, or to one run of it.
func ofApp(folder, temporary string) bool {
	const separator = string(filepath.Separator)
	for _, above := range []string{temporary, os.TempDir()} {
		if above != "" && strings.HasPrefix(folder+separator, filepath.Clean(above)+separator) {
			return true
		}
	}
	for part := range strings.SplitSeq(filepath.ToSlash(folder), "/") {
		switch strings.ToLower(part) {
		case "tmp", "temp", "node_modules", "globalstorage": // the last one is that of extensions of VS Code
			return true
		}
	}
	return false
}
