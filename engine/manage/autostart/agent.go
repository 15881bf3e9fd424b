package autostart

import (
	"path/filepath"

	"howett.net/plist"
)

// agent is a launch agent of macOS (launchd.plist(5)).
type agent struct {
	Label                  string
	ProgramArguments       []string
	RunAtLoad              bool
	Disabled               bool `plist:"Disabled,omitempty"`
	ProcessType            string
	LimitLoadToSessionType string
}

// newAgent returns the launch agent file in the user's folder of launch agents.
func newAgent(home string) *file {
	return &file{path: filepath.Join(home, "Library", "LaunchAgents", ID+".plist"), format: formatAgent, parse: parseAgent}
}

func formatAgent(program string) ([]byte, error) {
	return plist.MarshalIndent(agent{
		Label: ID, ProgramArguments: []string{program, HiddenFlag}, RunAtLoad: true,
		ProcessType: "Interactive", LimitLoadToSessionType: "Aqua",
	}, plist.XMLFormat, "\t")
}

// parseAgent reads a launch agent. The agent is ours when it has our label and starts the program without a
// window.
func parseAgent(text []byte) entry {
	var found agent
	if _, err := plist.Unmarshal(text, &found); err != nil || found.Label != ID || len(found.ProgramArguments) != 2 || found.ProgramArguments[1] != HiddenFlag {
		return entry{foreign: true}
	}
	return entry{program: found.ProgramArguments[0], off: found.Disabled || !found.RunAtLoad}
}
