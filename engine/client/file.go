package client

import "github.com/workbench-mcp/workbench-desktop/engine/words"

// File describes a file in which a client keeps its entries.
type File struct {
	// Places are where the file may be; package clients determines which one is used.
	Places []Location

	Format Format

	// Key is the path from the root of the file to the entries: an object whose keys are their names or, if
	// Named is set, a list of entries.
	Key []string

	// Named is the member of an entry that holds its name, in YAML; "" if the name is the key of the entry.
	Named string

	// Head is what the client requires in its file besides entries, as lines of text. They are written into a
	// file without content.
	Head string

	// Former are places and forms in which earlier versions of Workbench wrote our entry. An entry there is
	// recognised; connecting and disconnecting remove it.
	Former []File

	// Imports are other files from which the client reads servers. Servers can be imported from them, but
	// they are never written.
	Imports []File

	// Shape is the form of an entry: its fields in the usual order.
	Shape []Field

	// Newer is the form of newer versions of the client, if that differs: only its Key and Shape are set. A file
	// has it if there is an object at that key that is no entry itself, or if its place says so.
	Newer *File

	// Sandboxes are the packages of Linux in which the client keeps its files in folders of its own.
	Sandboxes []Sandbox

	Uptake    Uptake
	Rewriting Rewriting

	// Programs are the names of its processes, without ".exe". Only clients that must not run while their
	// file is written have any.
	Programs []Program

	// Trust is what people must agree to before the client starts Workbench; "" if it asks nothing.
	Trust words.Code

	// ByHand is why we do not write its file ourselves; "" if we do.
	ByHand words.Code

	// Command is the program whose "mcp add" and "mcp remove" are used instead; "" if there is none.
	Command string

	// Projects is the member of the file that holds, by folder, the entries for single projects, each in the
	// form of the file itself; "" if there is none.
	Projects string
}

// Format is the format of a client's file.
type Format string

// The formats.
const (
	JSON  Format = "JSON"  // the client accepts only strict JSON
	JSONC Format = "JSONC" // with comments and trailing commas; also for clients that are not known to refuse them
	TOML  Format = "TOML"
	YAML  Format = "YAML"
)

// Uptake is when a client reads its file again.
type Uptake string

// The ways.
const (
	AtOnce     Uptake = "at once"     // it watches the file
	NewSession Uptake = "new session" // for the next conversation or terminal session
	Refresh    Uptake = "refresh"     // a button of its MCP page, or a restart
	QuitFully  Uptake = "quit fully"  // closing the window is not enough
)

// Rewriting says how a client changes its file by itself.
type Rewriting string

// The ways.
const (
	Keeps   Rewriting = ""        // it keeps what others wrote, as far as is known
	Reflows Rewriting = "reflows" // it rewrites the file with all entries, but without comments and layout
	// it writes what it read when it was started; changes made while it runs are lost
	FromMemory Rewriting = "from memory"
)

// Program identifies a process of a client.
type Program struct {
	OS   string // as in runtime.GOOS; "" for any
	Name string // of the executable, without ".exe"; case is ignored on Windows and macOS

	// In is a part of the path of the executable, with slashes; "" for any. It distinguishes programs with
	// the same name.
	In string
}

// Location is where a client may keep its file. A path begins with "~" (the home folder), "{config}"
// (XDG_CONFIG_HOME or ~/.config), "{appdata}", "{localappdata}", "{support}" (~/Library/Application Support),
// "{code}" (where editors based on VS Code have their data on this system), or "{NAME}", an environment
// variable that must have an absolute path. Paths have slashes on all systems, and "*" stands for any part of
// a name.
type Location struct {
	OS   string // "windows", "darwin" or "linux", which stands for all others; "" for all
	Path string

	// Marks are files or folders of which one exists if the app is installed. Without marks, it is the folder
	// of the file.
	Marks []string

	// Also is set if the file is written in addition to others, if its app is there. Of the places without
	// Also, one is chosen.
	Also bool

	// OnlyExisting is set if we do not make the file.
	OnlyExisting bool

	// Instead is a file that the app reads as long as this one does not exist, and that we cannot write; ""
	// if there is none. We then do not make this file, since it would hide the other.
	Instead string

	// CopyOf is the place that the app reads as long as this one does not exist: this one would be a private copy of
	// it, or another spelling. A file made by us would hide it.
	CopyOf string

	// Newer is set if a new file at this place has the form of newer versions; see [File].
	Newer bool

	// Says tells people which of several files this is; "" if the path says enough.
	Says words.Code
}

// Sandbox is a package in which a client sees another place instead of "{config}": a Flatpak, by its id, or a Snap, by
// its name. "*" stands for any part of the id.
type Sandbox struct {
	Flatpak, Snap string

	// Inside is set if the servers that the client starts run in its Flatpak too. We must then be started outside,
	// where the programs of our servers are.
	Inside bool
}

// Field is one member of an entry. Value is a string, a bool, an int, a []string, an [Object] or one of the [Slot]s.
type Field struct {
	Name  string
	Value any
}

// Object is an empty object, which some clients require.
type Object struct{}

// Slot is a value that is known only when an entry is made.
type Slot int

// The slots.
const (
	SlotCommand Slot = iota // the program
	SlotArgs                // its arguments, as a list
	SlotLine                // both, as one list
	SlotName                // the name of the entry
)

// Managed says where an organisation sets rules for a client on a computer, and which of them matter to us.
// Paths of places are absolute here, with slashes.
type Managed struct {
	// Key is a registry key of Windows, below HKEY_LOCAL_MACHINE and HKEY_CURRENT_USER. Blob is the registry
	// value that has all settings as JSON; if it is "", each setting is a value of its own.
	Key, Blob string

	// Domain is the preferences domain that macOS manages.
	Domain string

	// Settings are files with settings as JSON. Exclusive are files that list all servers that the client may
	// start.
	Settings, Exclusive []Location

	// Switches are settings that forbid something if they are false.
	Switches []Switch

	// Lists is set if the settings allowedMcpServers and deniedMcpServers are used.
	Lists bool
}

// Switch is a setting that forbids something when it is false.
type Switch struct {
	Setting string
	Says    words.Code // what is turned off then; its text names the Client and the Setting
}
