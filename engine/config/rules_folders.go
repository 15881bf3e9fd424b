package config

import (
	"runtime"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var relativeFolder = Rule{Code: "relative-folder", Severity: SeverityWarning,
	About:   "\"folders\" has a path that does not begin at the top or with ~/, so it is no folder that a session could be in.",
	Toolbox: `"folders": ["work/shop"], "mcpServers": {}`}

var noFolders = Rule{Code: "no-folders", Severity: SeverityWarning,
	About:   "\"folders\" is an empty list, so the toolbox is seen nowhere.",
	Toolbox: `"folders": [], "mcpServers": {}`}

// readFolders reads the "folders" of a toolbox. If the list cannot be read, the toolbox is seen nowhere, since the
// list was meant to exclude some folders.
func readFolders(d *diagnoser, m member) []string {
	if m.value.Kind == '[' && len(m.value.Children) == 0 {
		d.sayAt(noFolders, m.value.Span, m.at, words.New("config.no_folders"), words.New("config.no_folders.hint"))
	}
	return readLimits(d, m, "config.folders.write", "config.a_folder", func(element member, folder string) {
		if !isWholePath(folder) {
			d.sayAt(relativeFolder, element.value.Span, element.at, words.New("config.relative_folder", "Path", quoted(folder)),
				words.New("config.relative_folder.hint"))
		}
	})
}

// isWholePath reports whether a path can say where a folder is. One that begins with a reference can.
func isWholePath(path string) bool {
	return path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) || strings.HasPrefix(path, "${") ||
		paths.IsAbs(runtime.GOOS, path)
}
