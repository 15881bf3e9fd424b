package clients

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// System is a computer with its user, as far as it matters where files are.
type System struct {
	OS     string // as in runtime.GOOS
	Home   string // the user's home folder
	Getenv func(string) string

	// Stat and ReadDir look at files and folders, without opening any file. Paths are those of the OS above.
	Stat    func(path string) (fs.FileInfo, error)
	ReadDir func(path string) ([]fs.DirEntry, error)

	// Processes lists what runs.
	Processes func() ([]Process, error)

	// Environ gives the environment in which a program is looked for and run, see [environ.Environ.For]; nil: none is. It may take seconds.
	Environ func(program string) []string

	// ReadFile and Registry read the rules of an organisation, see [System.Policy]. There may be none of the two. ReadFile gives nil for a file that isn't
	// there; Registry gives the values of a key below HKEY_CURRENT_USER when user is set, else below HKEY_LOCAL_MACHINE, none for a key that isn't
	// there.
	ReadFile func(path string) ([]byte, error)
	Registry func(user bool, key string) (map[string]any, error)
}

// ThisSystem is the computer that we run on. env is [os.Getenv] or takes its place.
func ThisSystem(env func(string) string) (System, error) {
	here := paths.Here(env)
	if here.Home == "" {
		return System{}, here.NoHome()
	}
	return System{OS: here.OS, Home: here.Home, Getenv: env, Stat: os.Stat, ReadDir: os.ReadDir, Processes: processes, ReadFile: readFile, Registry: registryValues}, nil
}

// kind is the system as places name it.
func (s System) kind() string {
	if s.OS == "windows" || s.OS == "darwin" {
		return s.OS
	}
	return "linux"
}

// native gives a path with slashes the separators of the system.
func (s System) native(name string) string {
	if s.OS == "windows" {
		return strings.ReplaceAll(name, "/", `\`)
	}
	return name
}

// slashed is the reverse of native, and cleans the path.
func (s System) slashed(name string) string {
	if s.OS == "windows" {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return path.Clean(name)
}

// whole reports whether a path leads somewhere whatever the current folder is.
func (s System) whole(name string) bool { return paths.IsAbs(s.OS, name) }

func (s System) getenv(name string) string {
	if s.Getenv == nil {
		return ""
	}
	return s.Getenv(name)
}

// root is what a path of the table begins with; "" when the system has no such thing.
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

// expand returns the paths that a path of the table stands for, with slashes. Those with a "*" are only what is there.
func (s System) expand(name string) []string {
	token, rest, _ := strings.Cut(name, "/")
	root := s.root(token)
	if root == "" {
		return nil
	}
	found := []string{root}
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

// there reports whether there is something at a path with slashes.
func (s System) there(name string) bool {
	_, err := s.Stat(s.native(name))
	return err == nil
}
