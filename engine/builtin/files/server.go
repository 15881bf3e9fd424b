// Package files is the built-in server "files". It lists, reads, searches and changes files in folders that the person
// has chosen, and reads documents as text. Its tools have the names and arguments of the reference server filesystem,
// so that existing tool filters work, and models know them.
package files

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/document"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
)

type server struct {
	folders []folder
	reader  document.Program // reads documents
}

// New returns the server for folders. reader reads documents.
func New(version string, folders []string, reader document.Program) (*mcpserver.MCPServer, error) {
	chosen, err := newFolders(folders)
	if err != nil {
		return nil, err
	}
	s := &server{chosen, reader}
	made := tool.New("files", "Files", version, "")
	for _, add := range []func(*mcpserver.MCPServer){s.addLooking, s.addReading, s.addSearching, s.addChanging} {
		add(made)
	}
	return made, nil
}

type nothing struct{}

type onePath struct {
	Path string `json:"path" jsonschema:"absolute path, or relative to the folder that was chosen"`
}

// allowed lists the folders.
func (s *server) allowed(context.Context, nothing) (*mcp.CallToolResult, error) {
	lines := []string{"Allowed directories:"}
	for _, f := range s.folders {
		lines = append(lines, f.path)
	}
	return tool.Text(strings.Join(lines, "\n")), nil
}
