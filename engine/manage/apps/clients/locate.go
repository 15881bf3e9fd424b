package clients

import (
	"path"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// File is a file where a client keeps its entries, or would.
type File struct {
	Path   string // absolute, with the separators of the system
	Exists bool
	Says   words.Code // which of several files of the client this is; a part of a sentence

	// newer is set if a new file there has the form of newer versions of the app.
	newer bool

	// Instead is the file that the app reads while this one does not exist; "" if there is none.
	Instead string
}

// Found is a client on a computer.
type Found struct {
	Client Client

	// Installed is set if there is a trace of the app: its file, or a folder that it makes.
	Installed bool

	// Files are the files that connecting writes; usually one. There is at least one, unless the client is
	// not available on this system.
	Files []File
}

// reads reports whether the client is installed and uses a file, as far as is known.
func (f Found) reads(file string) bool {
	return f.Installed && slices.ContainsFunc(f.Files, func(one File) bool { return one.Path == file })
}

// Detect returns all clients in the order of the table, and reports which are installed. It opens no file.
func (s System) Detect() []Found {
	var found []Found
	for _, c := range All() {
		found = append(found, s.Locate(c))
	}
	return found
}

// candidate is one path of a place in the table.
type candidate struct {
	place  client.Location
	path   string // with slashes
	exists bool
	marked bool // there is a trace of the app
}

// Locate returns the files of a client. Places marked Also count if their app is there. Of the other places
// one counts: the first whose file exists, else the first whose app is there. If there is no trace of the
// app, it is the place where the file would be made.
func (s System) Locate(c Client) Found {
	all := s.candidates(c)
	chosen := map[int]bool{}
	best := -1
	for i, k := range all {
		switch {
		case k.place.Also:
			if (k.exists || k.marked && !k.place.OnlyExisting) && !s.hides(k, all) {
				chosen[i] = true
			}
		case k.place.OnlyExisting && !k.exists:
		case best < 0 || rank(k) > rank(all[best]):
			best = i
		}
	}
	if best >= 0 && (rank(all[best]) > 0 || len(chosen) == 0) {
		chosen[best] = true
	}
	if len(chosen) == 0 { // all places are marked Also, and none exists
		for i, k := range all {
			if !k.place.OnlyExisting && len(chosen) == 0 {
				chosen[i] = true
			}
		}
	}
	found := Found{Client: c}
	for i, k := range all {
		found.Installed = found.Installed || k.exists || k.marked
		if chosen[i] {
			file := File{Path: s.native(k.path), Exists: k.exists, Says: k.place.Says, newer: k.place.Newer}
			for _, name := range s.expand(k.place.Instead) {
				if !k.exists && s.there(name) {
					file.Instead = s.native(name)
				}
			}
			found.Files = append(found.Files, file)
		}
	}
	return found
}

func rank(k candidate) int {
	switch {
	case k.exists:
		return 2
	case k.marked:
		return 1
	}
	return 0
}

func (s System) candidates(c Client) []candidate {
	var all []candidate
	for _, place := range c.Places {
		if place.OS != "" && place.OS != s.kind() {
			continue
		}
		paths := s.expand(place.Path)
		for _, name := range paths {
			all = append(all, candidate{place: place, path: name, exists: s.there(name), marked: s.marked(place, name)})
		}
		if last := len(all) - 1; len(paths) > 0 && place.Path[0] == '{' && place.Path[1] >= 'A' && place.Path[1] <= 'Z' &&
			(all[last].exists || !place.OnlyExisting) {
			// The user has set this path by a variable.
			all[last].marked = true
			break
		}
		for _, inside := range s.sandboxed(c, place) {
			all = append(all, candidate{place: inside, path: inside.Path, exists: s.there(inside.Path),
				marked: s.marked(inside, inside.Path)})
		}
	}
	return all
}

func (s System) marked(place client.Location, file string) bool {
	if len(place.Marks) == 0 {
		return s.there(path.Dir(file))
	}
	return slices.ContainsFunc(place.Marks, func(mark string) bool {
		return slices.ContainsFunc(s.expand(mark), s.there)
	})
}

// hides reports whether making the file would hide another file that the app reads now.
func (s System) hides(k candidate, all []candidate) bool {
	if k.exists || k.place.CopyOf == "" {
		return false
	}
	return slices.ContainsFunc(all, func(other candidate) bool {
		return other.place.Path == k.place.CopyOf && other.exists
	})
}
