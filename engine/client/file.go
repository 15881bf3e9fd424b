package client

import "github.com/workbench-mcp/workbench-desktop/engine/words"

// File is where a client keeps its entries, and what one looks like there.
type File struct {
	// Places are where its file may be; the package clients finds which is taken.
	Places []Place

	Format Format

	// Key leads from the file's top to what holds the entries: an object with their names, or, where Named is set, a list of entries.
	Key []string

	// Named is the member of an entry that holds its name, in YAML; "" where the name stands before the entry.
	Named string

	// Head is what the client wants to find in its file besides entries, as lines of text: they are written into a file that holds nothing.
	Head string

	// Former are the places and forms in which earlier versions of Workbench made our entry. An entry there is recognised; connecting and
	// disconnecting take it out.
	Former []File

	// Imports are further files of servers that it reads. Their servers can be brought in; nothing is written there.
	Imports []File

	// Shape is what an entry looks like: fields in the order in which people write them.
	Shape []Field

	Uptake    Uptake
	Rewriting Rewriting

	// Programs are the names of its processes, without ".exe". Only clients that must not run while their file is written have any.
	Programs []Program

	// Trust is what people have to agree to before the client starts us; "" when it asks nothing.
	Trust words.Code

	// ByHand tells why we do not write its file ourselves; "" when we do.
	ByHand words.Code

	// Command is the program whose "mcp add" and "mcp remove" are run instead; "" when there is none.
	Command string

	// Projects is the member of the file with the entries for single projects, by folder, each as the file itself has them; "" when there is none.
	Projects string
}

// Format is how a client's file is written.
type Format string

// The formats.
const (
	JSON  Format = "JSON"  // the client reads nothing but strict JSON
	JSONC Format = "JSONC" // with comments and trailing commas, or a client of which it is not known that it refuses them
	TOML  Format = "TOML"
	YAML  Format = "YAML"
)

// Uptake is what makes a client read its file again.
type Uptake string

// The ways.
const (
	AtOnce     Uptake = "at once"     // it watches the file
	NewSession Uptake = "new session" // the next conversation or terminal session has it
	Refresh    Uptake = "refresh"     // a button of its MCP page, or a restart
	QuitFully  Uptake = "quit fully"  // closing the window is not enough
)

// Rewriting is what a client does to its file by itself.
type Rewriting string

// The ways.
const (
	Keeps      Rewriting = ""            // it leaves what others wrote, as far as is known
	Reflows    Rewriting = "reflows"     // it writes the file anew, with all entries but without comments and layout
	FromMemory Rewriting = "from memory" // it writes what it read when it was started: edits made while it runs are lost
)

// Program is how a process of a client is recognised.
type Program struct {
	OS   string // as in runtime.GOOS; "" for any
	Name string // of the executable, without ".exe"; compared without regard to case on Windows and macOS

	// In is a part of the path of the executable, with slashes; "" for any. It tells programs of one name apart.
	In string
}

// Place is where a client may keep its file. A path begins with "~" (the home folder), "{config}" (XDG_CONFIG_HOME or ~/.config),
// "{appdata}", "{localappdata}", "{support}" (~/Library/Application Support), "{code}" (where the editors that descend from VS Code have their
// data on this system), or "{NAME}", a variable of the environment that must hold a whole path. It has slashes on all systems, and
// "*" in it stands for any part of a name.
type Place struct {
	OS   string // "windows", "darwin" or "linux", which stands for all others; "" for all
	Path string

	// Marks are files or folders of which one is there when the app is installed. Without any it is the folder of the file.
	Marks []string

	// Also is set when the file is written besides the other ones, if its app is there. Of the places without it one is chosen.
	Also bool

	// OnlyExisting is set when we do not make the file.
	OnlyExisting bool

	// Instead is a file that the app reads as long as this one is not there, and that we cannot write; "" for none. We don't make this one then: it
	// would hide the other.
	Instead string

	// CopyOf is the place of which this one is a private copy: as long as there is none, the app reads the other one, and one that we made would
	// hide it.
	CopyOf string

	// Says tells people which file this is, when a client has several; "" when the path says enough.
	Says words.Code
}

// Field is one member of an entry. Value is a string, a bool, an int, a []string, an [Object] or one of the [Slot]s.
type Field struct {
	Name  string
	Value any
}

// Object is an empty object, as some clients want one.
type Object struct{}

// Slot is a value that is known when an entry is made.
type Slot int

// The slots.
const (
	SlotCommand Slot = iota // the program
	SlotArgs                // its arguments, as a list
	SlotLine                // both, as one list
	SlotName                // the name of the entry
)

// Managed is where the organisation that looks after a computer sets rules for a client, and which of them matter to us. Paths of places are
// whole here, with slashes.
type Managed struct {
	// Key is a key of the registry of Windows, below HKEY_LOCAL_MACHINE and HKEY_CURRENT_USER. Blob is the value in it that holds all
	// settings as JSON; when it is "", each setting is a value of its own.
	Key, Blob string

	// Domain is that of the preferences which macOS manages.
	Domain string

	// Settings are files of settings as JSON, and Exclusive files that name all servers that the client may start.
	Settings, Exclusive []Place

	// Switches are settings that are false when something is forbidden.
	Switches []Switch

	// Lists is set when the settings allowedMcpServers and deniedMcpServers count.
	Lists bool
}

// Switch is a setting that forbids something when it is false.
type Switch struct {
	Setting string
	Says    words.Code // what is off then; its words name the Client and the Setting
}
