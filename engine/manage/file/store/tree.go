package store

import "github.com/workbench-mcp/workbench-desktop/engine/jsonc"

// broken reports whether a file has syntax errors that leave its structure unclear.
func broken(source []byte) bool { return source != nil && jsonc.Parse(source).Broken() != nil }

// inServer reports whether a path leads into the entry of a server.
func inServer(path jsonc.Path) bool {
	return len(path) > 4 && path[0].Key == "toolboxes" && path[2].Key == "mcpServers"
}
