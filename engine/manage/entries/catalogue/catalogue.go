// Package catalogue is a list of well-known MCP servers that comes with the program. It says what each server
// is for, what it needs on this computer, and what must be filled in before it works. The data is in
// servers.json; nothing is looked up online. The texts for people are in assets/translations under the ids of
// servers and inputs: catalogue.server.ID.description, catalogue.server.ID.INPUT.label.
package catalogue

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Needs is what must be installed on the computer before a server can be started: the ID of a [config.Product].
type Needs string

// What servers need.
const (
	NeedsNothing Needs = ""          // a server on the web
	NeedsItself  Needs = "workbench" // a server that comes with the program
	NeedsNode    Needs = "node"      // npx
	NeedsUV      Needs = "uv"        // uvx
	NeedsDocker  Needs = "docker"    // docker
)

// product returns what to install; it is zero for NeedsNothing.
func (n Needs) product() config.Product { return config.FindProduct(string(n)) }

// Name returns the name of the requirement; it is empty for NeedsNothing.
func (n Needs) Name() string { return n.product().Name }

// Command returns the program that must be found; it is empty for NeedsNothing.
func (n Needs) Command() string {
	switch n {
	case NeedsNothing:
		return ""
	case NeedsItself:
		return process.Engine
	}
	return n.product().Commands[0]
}

// Page returns the page that tells how to install it; it is empty for NeedsNothing.
func (n Needs) Page() string { return n.product().Page }

// Kind says what kind of value an input takes.
type Kind string

// The kinds of inputs.
const (
	KindText   Kind = "text"
	KindFolder Kind = "folder"
	KindFile   Kind = "file"
	KindSecret Kind = "secret"
	KindURL    Kind = "url"
	KindChoice Kind = "choice"
	KindList   Kind = "list" // several values, one on each line; Of is the kind of each
)

// Input is a value that the user fills in.
type Input struct {
	ID       string     `json:"id"`
	Label    words.Text `json:"-"`
	Hint     words.Text `json:"-"` // may be empty
	HasHint  bool       `json:"hint"`
	Kind     Kind       `json:"kind"`
	Of       Kind       `json:"of"` // the kind of the values of a list
	Required bool       `json:"required"`
	Default  string     `json:"default"`
	Options  []Option   `json:"options"` // for KindChoice
}

// Option is one answer of a choice.
type Option struct {
	Label words.Text `json:"-"`
	Value string     `json:"value"`
}

// Entry is one server of the catalogue. It must not be changed.
type Entry struct {
	ID          string     `json:"id"` // also the suggested name
	Title       words.Text `json:"-"`
	Description words.Text `json:"-"`         // one sentence
	Publisher   string     `json:"publisher"` // a company, a project or an account on GitHub
	Category    string     `json:"category"`  // one of Categories
	Topics      []string   `json:"topics"`    // what it is about: texts catalogue.topic.NAME, for [Search]
	Page        string     `json:"link"`      // the server's own page
	Needs       Needs      `json:"needs"`

	// SignIn is set for a server on the web that asks the user to sign in with a browser.
	SignIn bool `json:"signIn"`

	// Note says what else the server needs. It may be empty.
	Note    words.Text `json:"-"`
	HasNote bool       `json:"note"`

	Inputs []Input `json:"inputs"`

	// Template is the entry of workbench-config.json, with {{id}} in the place of each input. See
	// [Entry.Fill].
	Template json.RawMessage `json:"entry"`
}

// Categories returns the categories in the order in which they are shown.
func Categories() []string {
	return []string{"own", "files", "web", "knowledge", "work", "code", "data", "more"}
}

//go:embed servers.json
var servers []byte

var list = sync.OnceValue(func() []Entry {
	var entries []Entry
	if err := json.Unmarshal(servers, &entries); err != nil {
		// The data is compiled in and tested, so this is a bug.
		panic(fmt.Sprintf("the catalogue of servers: %v", err))
	}
	for i := range entries {
		entries[i].say()
	}
	return entries
})

// say sets the texts of an entry.
func (e *Entry) say() {
	text := func(of ...string) words.Text {
		return words.Code("catalogue.server." + e.ID + "." + strings.Join(of, ".")).Text()
	}
	e.Title, e.Description = text("title"), text("description")
	if e.HasNote {
		e.Note = text("note")
	}
	for i := range e.Inputs {
		in := &e.Inputs[i]
		in.Label = text(in.ID, "label")
		if in.HasHint {
			in.Hint = text(in.ID, "hint")
		}
		for n := range in.Options {
			in.Options[n].Label = text(in.ID, "option"+strconv.Itoa(n+1))
		}
	}
}

// All returns all servers in the order in which they are shown. The slice is the caller's.
func All() []Entry { return slices.Clone(list()) }

// Find returns the server with an id.
func Find(id string) (Entry, bool) {
	for _, e := range list() {
		if e.ID == id {
			return e, true
		}
	}
	return Entry{}, false
}
