package clients

import (
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// sandboxed returns the places that a place of the table has in the packages of a client, on Linux. The app counts as
// installed if it has made its folder there.
func (s System) sandboxed(c Client, place client.Location) (all []client.Location) {
	token, rest, _ := strings.Cut(place.Path, "/")
	if s.kind() != "linux" || token != "{config}" && token != "{code}" {
		return nil
	}
	own, _, _ := strings.Cut(rest, "/")
	for _, sandbox := range c.Sandboxes {
		root := "~/snap/" + sandbox.Snap + "/current/.config"
		if sandbox.Flatpak != "" {
			root = flatpakData + sandbox.Flatpak + "/config"
		}
		for _, folder := range s.expand(root) {
			for _, file := range s.below(folder, rest) {
				inside := place
				inside.Path, inside.Marks, inside.Also = file, []string{folder + "/" + own}, true
				all = append(all, inside)
			}
		}
	}
	return all
}

// flatpakData is where each Flatpak has a folder for its data.
const flatpakData = "~/.var/app/"

// flatpakSpawn starts a program outside the Flatpak in which it is started. The program ends with it.
const flatpakSpawn = "/usr/bin/flatpak-spawn"

// in returns the launch for the entry in a file of a client: if the client's servers run inside its Flatpak, Workbench
// is started outside.
func (l Launch) in(c Client, file string) Launch {
	_, inside, found := strings.Cut(file, strings.TrimPrefix(flatpakData, "~"))
	id, _, _ := strings.Cut(inside, "/")
	if !found || l.Program == "" || l.Program == flatpakSpawn ||
		!slices.ContainsFunc(c.Sandboxes, func(s client.Sandbox) bool {
			fits, _ := path.Match(s.Flatpak, id)
			return fits && s.Inside
		}) {
		return l
	}
	l.Before = append([]string{"--host", "--watch-bus", l.Program}, l.Before...)
	l.Program = flatpakSpawn
	return l
}

// at returns the client with the form that a new file at a path has.
func (s System) at(c Client, file string) Client {
	if c.Newer != nil && slices.ContainsFunc(s.Locate(c).Files, func(f File) bool { return f.Path == file && f.newer }) {
		return c.newer()
	}
	return c
}
