package autostart

import (
	"path/filepath"
	"strings"

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
	// the settings then name the app, not a developer
	AssociatedBundleIdentifiers []string `plist:"AssociatedBundleIdentifiers,omitempty"`
}

// agents is the user's folder of launch agents with our file, and launchd, which keeps elsewhere what the user has
// turned off.
type agents struct {
	*file
	domain string                               // of launchd: the user's session with a screen
	ask    func(args ...string) ([]byte, error) // runs launchctl
}

// newAgent returns the launch agent file in the user's folder of launch agents.
func newAgent(home string) *file {
	return &file{path: filepath.Join(home, "Library", "LaunchAgents", ID+".plist"), format: formatAgent,
		parse: parseAgent}
}

// read also reports an entry as off that launchd has been told to leave out. If launchd does not answer, the file
// counts.
func (a agents) read() (entry, bool, error) {
	found, ok, err := a.file.read()
	if ok && err == nil && !found.foreign && !found.off {
		if said, err := a.ask("print-disabled", a.domain); err == nil {
			found.off = disabled(said, ID)
		}
	}
	return found, ok, err
}

// write also has launchd forget that the entry was turned off, since the user has now turned it on here.
func (a agents) write(program string) error {
	if err := a.file.write(program); err != nil {
		return err
	}
	if said, err := a.ask("print-disabled", a.domain); err != nil || !disabled(said, ID) {
		return nil
	}
	_, err := a.ask("enable", a.domain+"/"+ID)
	return err
}

// disabled reports whether launchd's list of services that are turned off has a service. Each line has a name and
// "disabled" or "enabled"; before macOS 13 it was "true" or "false".
func disabled(said []byte, service string) bool {
	_, list, ok := strings.Cut(string(said), "disabled services = {")
	if !ok {
		return false
	}
	list, _, _ = strings.Cut(list, "}")
	off := false
	for line := range strings.Lines(list) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " => ")
		if name == `"`+service+`"` {
			off = value == "disabled" || value == "true"
		}
	}
	return off
}

func formatAgent(program string) ([]byte, error) {
	return plist.MarshalIndent(agent{
		Label: ID, ProgramArguments: []string{program, HiddenFlag}, RunAtLoad: true,
		ProcessType: "Interactive", LimitLoadToSessionType: "Aqua", AssociatedBundleIdentifiers: []string{ID},
	}, plist.XMLFormat, "\t")
}

// parseAgent reads a launch agent. The agent is ours when it has our label and starts the program without a
// window.
func parseAgent(text []byte) entry {
	var found agent
	if _, err := plist.Unmarshal(text, &found); err != nil || found.Label != ID || len(found.ProgramArguments) != 2 ||
		found.ProgramArguments[1] != HiddenFlag {
		return entry{foreign: true}
	}
	return entry{program: found.ProgramArguments[0], off: found.Disabled || !found.RunAtLoad}
}
