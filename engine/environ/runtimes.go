package environ

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// SourceWorkbench is the source of a [Folder] with a program that Workbench has installed.
const SourceWorkbench = "workbench"

// RuntimeFolder returns the folder of the commands of a runtime that Workbench has installed, in its newest
// version, and that version; empty if there is none. runtimes is the folder of all of them, see
// [paths.Folders.Runtimes]. Each version has a folder such as node/24.19.0, which exists only if it is
// complete.
func RuntimeFolder(runtimes, id string) (folder, version string) {
	if runtimes == "" {
		return "", ""
	}
	entries, err := os.ReadDir(filepath.Join(runtimes, id))
	if err != nil {
		return "", ""
	}
	var newest []int
	for _, entry := range entries {
		numbers := versionNumbers(entry.Name())
		if len(numbers) == 3 && entry.IsDir() && slices.Compare(numbers, newest) > 0 {
			newest, version = numbers, entry.Name()
		}
	}
	if version == "" {
		return "", ""
	}
	folder = filepath.Join(runtimes, id, version)
	if id == "node" && runtime.GOOS != "windows" { // the layout of its archives
		folder = filepath.Join(folder, "bin")
	}
	return folder, version
}

// RuntimeIDs returns the ids of the runtimes that Workbench can install.
func RuntimeIDs() []string { return []string{"node", "uv"} }

// withRuntimes adds the folders of the runtimes to the end of PATH, so that the user's own programs always
// take precedence. They are searched each time, since a runtime can be installed or removed while an engine
// runs.
func withRuntimes(base, env []string, report Report) ([]string, Report) {
	var added []Folder
	for _, user := range []paths.Folders{here(env), here(base)} { // the shell may set another folder for data
		runtimes, err := user.Runtimes()
		if err != nil {
			continue
		}
		for _, id := range RuntimeIDs() {
			folder, _ := RuntimeFolder(runtimes, id)
			if folder != "" && !slices.ContainsFunc(added, func(f Folder) bool { return f.Path == folder }) {
				added = append(added, Folder{folder, SourceWorkbench})
			}
		}
	}
	if len(added) == 0 {
		return env, report
	}
	list := splitPath(process.Getenv(env, "PATH"))
	for _, folder := range added {
		if !contains(list, folder.Path) {
			list = append(list, folder.Path)
		}
	}
	report.Folders = slices.Concat(report.Folders, added)
	return slices.Clip(setPath(env, list)), report
}
