package environ

import "github.com/workbench-mcp/workbench-desktop/engine/paths"

// caches are the variables that name where uv and npm keep what they download, with our folders for it.
var caches = []struct{ name, folder string }{
	{"UV_CACHE_DIR", "uv"}, {"UV_PYTHON_INSTALL_DIR", "uv-python"}, {"UV_TOOL_DIR", "uv-tools"},
	{"npm_config_cache", "npm"},
}

// outsideAppData returns variables that lead uv and npm to folders outside AppData, where the environment does not
// name others. Below an app from the Store, Windows gives programs a private copy of AppData: links between
// it and the real one fail ("os error 17"), and what was downloaded before is not found.
func outsideAppData(env []string, user paths.Folders) []string {
	var added []string
	for _, cache := range caches {
		folder, err := user.Cache(cache.folder)
		if err == nil && valueOf(env, cache.name) == "" {
			added = append(added, cache.name+"="+folder)
		}
	}
	return added
}
