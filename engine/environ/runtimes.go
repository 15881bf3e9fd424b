package environ

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// SourceWorkbench is the source of a [Folder] with a program that the person has got with Workbench.
const SourceWorkbench = "workbench"

// RuntimeFolder returns the folder of the commands of a runtime that the person has got with Workbench, in its newest version, and that
// version; empty when there is none. Runtimes is the folder of all of them, see [paths.Folders.Runtimes]. Each version of a runtime is a
// folder such as node/24.19.0, which is there only when it is whole.
func RuntimeFolder(runtimes, id string) (folder, version string) {
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
	if id == "node" && runtime.GOOS != "windows" { // as its archives have it
		folder = filepath.Join(folder, "bin")
	}
	return folder, version
}

// RuntimeIDs returns the ids of the runtimes that can be got with Workbench.
func RuntimeIDs() []string { return []string{"node", "uv"} }

// withRuntimes adds the folders of the runtimes to the end of PATH, so that a program of the user's own always goes before ours. They are
// looked for each time: one can be got or removed while an engine runs.
func withRuntimes(base, env []string, report Report) ([]string, Report) {
	var added []Folder
	for _, user := range []paths.Folders{here(env), here(base)} { // the shell may say another place for data
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
