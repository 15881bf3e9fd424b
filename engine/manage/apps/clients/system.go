package clients

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// System describes a computer and its user, as far as the places of files depend on them.
type System struct {
	OS     string // as in runtime.GOOS
	Home   string // the user's home folder
	Getenv func(string) string

	// Stat and ReadDir examine files and folders without opening files. Paths have the form of OS.
	Stat    func(path string) (fs.FileInfo, error)
	ReadDir func(path string) ([]fs.DirEntry, error)

	// Processes lists the running processes.
	Processes func() ([]Process, error)

	// Environ returns the environment for finding and running a program, see [environ.Environ.For]. It may
	// take seconds. If it is nil, no program is run.
	Environ func(program string) []string

	// ReadFile and Registry read the rules of an organisation, see [System.Policy]. Either may be nil.
	// ReadFile returns nil for a file that does not exist. Registry returns the values of a key below
	// HKEY_CURRENT_USER if user is set, else below HKEY_LOCAL_MACHINE; it returns nothing for a key that does
	// not exist.
	ReadFile func(path string) ([]byte, error)
	Registry func(user bool, key string) (map[string]any, error)
}

// ThisSystem returns this computer. env is [os.Getenv] or a replacement.
func ThisSystem(env func(string) string) (System, error) {
	here := paths.Here(env)
	if here.Home == "" {
		return System{}, here.NoHome()
	}
	return System{OS: here.OS, Home: here.Home, Getenv: env, Stat: os.Stat, ReadDir: os.ReadDir, Processes: processes,
		ReadFile: readPolicy, Registry: registryValues}, nil
}

// kind returns the system's name in the table's places.
func (s System) kind() string {
	if s.OS == "windows" || s.OS == "darwin" {
		return s.OS
	}
	return "linux"
}

// native converts a path with slashes to the separators of the system.
func (s System) native(name string) string {
	if s.OS == "windows" {
		return strings.ReplaceAll(name, "/", `\`)
	}
	return name
}

// slashed reverses native, and cleans the path.
func (s System) slashed(name string) string {
	if s.OS == "windows" {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return path.Clean(name)
}

// whole reports whether a path is absolute.
func (s System) whole(name string) bool { return paths.IsAbs(s.OS, name) }

func (s System) getenv(name string) string {
	if s.Getenv == nil {
		return ""
	}
	return s.Getenv(name)
}

// root returns the folder that the first part of a path in the table stands for; "" if the system does not
// have it.
func (s System) root(token string) string {
	user := paths.Folders{OS: s.OS, Home: s.Home, Getenv: s.Getenv}
	folder := ""
	switch token {
	case "~":
		folder = user.Home
	case "{config}":
		folder = user.HostConfigHome()
	case "{appdata}":
		folder = user.AppData()
	case "{localappdata}":
		folder = user.LocalAppData()
	case "{support}":
		folder = user.Support()
	case "{code}":
		switch s.kind() {
		case "windows":
			return s.root("{appdata}")
		case "darwin":
			return s.root("{support}")
		}
		return s.root("{config}")
	default: // a variable
		if value := s.getenv(strings.Trim(token, "{}")); s.whole(value) {
			folder = value
		}
	}
	if folder == "" {
		return ""
	}
	return s.slashed(folder)
}

// expand returns the paths, with slashes, that a path of the table stands for. A path with "*" stands only
// for what exists.
func (s System) expand(name string) []string {
	token, rest, _ := strings.Cut(name, "/")
	root := s.root(token)
	if strings.HasPrefix(name, "/") { // of a sandbox
		root, rest = "/", strings.TrimPrefix(name, "/")
	}
	if root == "" {
		return nil
	}
	return s.below(strings.TrimSuffix(root, "/"), rest)
}

// below returns the paths below a folder that a path with "*" stands for.
func (s System) below(folder, rest string) []string {
	found := []string{folder}
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" {
			continue
		}
		var next []string
		for _, folder := range found {
			if !strings.Contains(part, "*") {
				next = append(next, folder+"/"+part)
				continue
			}
			entries, err := s.ReadDir(s.native(folder))
			if err != nil {
				continue
			}
			for _, entry := range entries {
				subject, pattern := entry.Name(), part
				if s.OS == "windows" {
					subject, pattern = strings.ToLower(subject), strings.ToLower(pattern)
				}
				if match, err := path.Match(pattern, subject); err == nil && match {
					next = append(next, folder+"/"+entry.Name())
				}
			}
		}
		found = next
	}
	slices.Sort(found)
	return found
}

// there reports whether something exists at a path with slashes.
func (s System) there(name string) bool {
	_, err := s.Stat(s.native(name))
	return err == nil
}

// readPolicy reads a file with the rules of an organisation; nil if it does not exist.
func readPolicy(name string) ([]byte, error) {
	text, err := atomicfile.Read(name, excerpt.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
