package bundle

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// manifest describes a bundle in version 0.4 of the format. Readers refuse members that the format does not
// have.
type manifest struct {
	ManifestVersion string        `json:"manifest_version"`
	Name            string        `json:"name"`
	DisplayName     string        `json:"display_name"`
	Version         string        `json:"version"`
	Description     string        `json:"description"`
	LongDescription string        `json:"long_description"`
	Author          author        `json:"author"`
	Homepage        string        `json:"homepage"`
	Icon            string        `json:"icon,omitempty"`
	Server          server        `json:"server"`
	ToolsGenerated  bool          `json:"tools_generated"`
	License         string        `json:"license"`
	Compatibility   compatibility `json:"compatibility"`
}

type author struct {
	Name string `json:"name"`
}

type server struct {
	Type       string `json:"type"`
	EntryPoint string `json:"entry_point"`
	Config     start  `json:"mcp_config"`
}

// start says how the app starts Workbench.
type start struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

type compatibility struct {
	Platforms []string `json:"platforms"`
}

const (
	// name is short, since the app puts it before the names of tools.
	name     = "workbench"
	homepage = "https://github.com/workbench-mcp/workbench-desktop"
)

func manifestOf(o Options) (manifest, error) {
	program, args := o.Starts()
	m := manifest{
		ManifestVersion: "0.4", Name: name, DisplayName: "Workbench", Version: o.Version,
		Description: "Your toolboxes of MCP servers, from the Workbench on this computer.",
		LongDescription: "Starts the Workbench that is installed on this computer. The toolboxes and their servers are " +
			"set up there. " +
			"Use either this bundle or the entry in Claude Desktop's file: with both, everything is offered twice.",
		Author: author{"The Workbench Desktop authors"}, Homepage: homepage, License: "MIT", ToolsGenerated: true,
		Server:        server{Type: "binary", EntryPoint: readmeName, Config: start{program, args}},
		Compatibility: compatibility{[]string{platform(o.OS)}},
	}
	if o.Icon != nil {
		m.Icon = iconName
	}
	for _, text := range append([]string{m.Server.Config.Command}, m.Server.Config.Args...) {
		// The app would replace this text, and the format has no way to escape it.
		if strings.Contains(text, "${") {
			return m, words.NewError("bundle.path", "Path", text)
		}
	}
	return m, nil
}

// platform returns the format's name of a system.
func platform(system string) string {
	switch system {
	case "windows":
		return "win32"
	case "darwin":
		return system
	}
	return "linux"
}
