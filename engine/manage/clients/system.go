package clients

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
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

	// ReadFile and Registry read the rules of an organisation, see [System.Policy]. There may be none of the two. ReadFile gives nil for a file that isn't
	// there; Registry gives the values of a key below HKEY_CURRENT_USER when user is set, else below HKEY_LOCAL_MACHINE, none for a key that isn't
	// there.
	ReadFile func(path string) ([]byte, error)
	Registry func(user bool, key string) (map[string]any, error)
}

// ThisSystem is the computer that we run on. env is [os.Getenv] or takes its place.
func ThisSystem(env func(string) string) (System, error) {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	home := env(variable)
	if home == "" {
		found, err := os.UserHomeDir()
		if err != nil {
			return System{}, fmt.Errorf("finding the home folder: %s is not set; set it, then try again", variable)
		}
		home = found
	}
	return System{OS: runtime.GOOS, Home: home, Getenv: env, Stat: os.Stat, ReadDir: os.ReadDir, Processes: processes, ReadFile: readFile, Registry: registryValues}, nil
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

// whole tells whether a path leads somewhere whatever the current folder is.
func (s System) whole(name string) bool {
	if s.OS != "windows" {
		return strings.HasPrefix(name, "/")
	}
	name = strings.ReplaceAll(name, "/", `\`)
	drive := len(name) > 2 && name[1] == ':' && name[2] == '\\' && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z')
	return drive || strings.HasPrefix(name, `\\`)
}

func (s System) getenv(name string) string {
	if s.Getenv == nil {
		return ""
	}
	return s.Getenv(name)
}

// root is what a path of the table begins with; "" when the system has no such thing.
func (s System) root(token string) string {
	home := s.slashed(s.Home)
	from := func(variable, otherwise string) string {
		if value := s.getenv(variable); s.whole(value) {
			return s.slashed(value)
		}
		return otherwise
	}
	switch token {
	case "~":
		return home
	case "{config}":
		if s.getenv("FLATPAK_ID") != "" { // what it is in there is ours, and no other app's
			return from("HOST_XDG_CONFIG_HOME", home+"/.config")
		}
		return from("XDG_CONFIG_HOME", home+"/.config")
	case "{appdata}":
		return from("APPDATA", home+"/AppData/Roaming")
	case "{localappdata}":
		return from("LOCALAPPDATA", home+"/AppData/Local")
	case "{support}":
		return home + "/Library/Application Support"
	case "{code}":
		switch s.kind() {
		case "windows":
			return s.root("{appdata}")
		case "darwin":
			return s.root("{support}")
		}
		return s.root("{config}")
	}
	return from(strings.Trim(token, "{}"), "")
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

// there tells whether there is something at a path with slashes.
func (s System) there(name string) bool {
	_, err := s.Stat(s.native(name))
	return err == nil
}
