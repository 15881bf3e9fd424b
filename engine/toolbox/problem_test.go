package toolbox

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A problem says what to do only once.
func TestNetworkProblemsSayOnceWhatToDo(t *testing.T) {
	for hint, err := range map[words.Code]error{
		"": words.NewError("downstream.unreachable", "Address", "example.com", "Why",
			words.New("network.nothing_answers")),
		"toolbox.check_address": words.NewError("downstream.connection_broken", "Address", "example.com", "Why", "EOF"),
	} {
		err := err.(*words.Error).Because(downstream.ErrUnreachable)
		got := problemOf(&config.Server{}, err)
		if got.Kind != status.KindNetwork || !got.Message.Equal(err.Text()) || got.Hint.Code != hint {
			t.Errorf("%q becomes %+v", err, got)
		}
	}
}

func TestUnknownPackage(t *testing.T) {
	how := words.New("downstream.how_stopped", "How", words.New("process.exited", "Status", 1), "Skipped", words.Text{},
		"Wrote", "The requested resource 'x@*' could not be found or you do not have permission to access it.")
	err := words.NewError("downstream.stopped", "How", how).Because(downstream.ErrStopped)
	if got := problemOf(&config.Server{Command: "npx"}, err); got.Kind != status.KindExited ||
		got.Hint.Code != "toolbox.unknown_package" {
		t.Errorf("the problem is %+v", got)
	}
	if got := problemOf(&config.Server{Command: "uvx"}, err); got.Hint.Code != "toolbox.see_log" {
		t.Errorf("for a program that is not npm's, the problem is %+v", got)
	}
}

// TestPrivacyHint: macOS gives an error to a server that it has not asked about, and the server only quotes it.
func TestPrivacyHint(t *testing.T) {
	for wrote, want := range map[string]words.Code{
		"Error: EPERM: operation not permitted, scandir '/Users/ada/Documents'":             "toolbox.macos_files",
		"PermissionError: [Errno 1] Operation not permitted: '/Users/ada/Desktop/notes.db'": "toolbox.macos_files",
		"connect EHOSTUNREACH 192.168.1.20:8123 - Local (192.168.1.5:50100)":                "toolbox.macos_network",
		"dial tcp 192.168.1.20:8123: connect: no route to host":                             "toolbox.macos_network",
		"EACCES: permission denied, open '/etc/sudoers'":                                    "",
		"": "",
	} {
		if got := privacyHint("darwin", wrote); got.Code != want {
			t.Errorf("%q: the hint is %q", wrote, got.Code)
		}
		if got := privacyHint("linux", wrote); !got.IsZero() {
			t.Errorf("on Linux, %q: the hint is %q", wrote, got.Code)
		}
	}
}

// The hint for a missing program comes from package config. If a path does not exist, it is misspelt or its program
// was removed.
func TestInstallHint(t *testing.T) {
	for command, want := range map[string]string{
		"npx": "Install Node.js (https://nodejs.org/en/download). If it is installed already, write the full " +
			"path of the program.",
		"pipx": "Install pipx (https://pipx.pypa.io). If it is installed already, write the full path of the program.",
		"dotnet.exe": "Install .NET (https://dotnet.microsoft.com/download). If it is installed already, write the full " +
			"path of the program.",
		"my-server":   "Install it, or write the full path of the program.",
		"/no/bin/npx": "Install it, or write the full path of the program.",
	} {
		got := problemOf(&config.Server{Command: command}, process.ErrNotFound)
		if got.Kind != status.KindProgram || got.Program != command || got.Hint.String() != want {
			t.Errorf("%s becomes %+v: %s", command, got, got.Hint)
		}
	}
}

// A path of a version manager's shell, which has ended, leads to nothing. The name alone leads to the program.
func TestNameAloneHint(t *testing.T) {
	err := words.NewError("process.name_alone", "Command", "/gone/bin/npx", "Name", "npx", "Path",
		"/usr/bin/npx").Because(process.ErrNotFound)
	got := problemOf(&config.Server{Command: "/gone/bin/npx"}, err)
	if said := got.Message.String() + ". " + got.Hint.String(); got.Kind != status.KindProgram ||
		said != "/gone/bin/npx was not found. Write npx alone: that program is at /usr/bin/npx." {
		t.Errorf("%+v: %s", got, said)
	}
}

// The message about a variable that is not set names the field that uses it, so that a button can lead there.
func TestProblemNamesTheField(t *testing.T) {
	for want, entry := range map[string]*config.Server{
		"args": {Command: "x", Args: []string{"a", "${NOT_SET}"}},
		"env":  {Command: "x", Env: []config.Variable{{Name: "A", Value: "${NOT_SET}"}}},
		"headers": {Transport: config.TransportHTTP, URL: "https://x.example",
			Headers: []config.Variable{{Name: "A", Value: "${NOT_SET}"}}},
	} {
		if _, err := entry.Expand(config.Lookup{}); err == nil {
			t.Errorf("%s: the variable is set", want)
		} else if got := problemOf(entry, err); got.Kind != status.KindVariable || got.Field != want {
			t.Errorf("%q of kind %s, want %q", got.Field, got.Kind, want)
		}
	}
}
