// Package foreign makes entries of a toolbox from what the instructions of a server tell people to paste: a
// client's configuration as JSON, TOML or YAML, a command line that starts a server or adds it to a client,
// an address, or a page that contains some of these.
//
// The package knows the usual forms. It starts nothing and uses nothing but the text. [Entry.Notes] says what
// it translated or left out.
package foreign

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// MaxSize is the largest text that [Parse] reads, in bytes.
const MaxSize = 8 << 20

// maxLoose is the largest text in which servers are looked for that do not begin where the text begins, and in
// which mistakes are repaired. The largest instructions have a few hundred KiB.
const maxLoose = 1 << 20

// MaxEntries is the largest number of servers in one text. Nobody reads a longer list.
const MaxEntries = 500

// Found is the result of parsing a text.
type Found struct {
	// Kind says what the text was recognised as, as part of a sentence, such as "a command line".
	Kind words.Text

	// Entries are in the order of the text, with unique names. There is at least one.
	Entries []Entry

	// Rest is what stands among the servers and is none that can be taken.
	Rest []Rest

	// Notes say what was repaired, translated or left out in the text as a whole, without secrets.
	Notes []words.Text
}

// Says returns the notes about the text, and those that name everything in Rest.
func (f *Found) Says() []words.Text {
	var left []Left
	for _, r := range f.Rest {
		left = append(left, Left{r.Name, r.Why})
	}
	return append(slices.Clone(f.Notes), notesFor(left)...)
}

// Entry is one proposed server.
type Entry struct {
	// Server is the entry with its suggested name, which is never empty. Its strings may hold references such as
	// ${HOME}.
	Server config.Server

	// Toolbox is the toolbox of the server if the text is a configuration with toolboxes; else empty.
	Toolbox string

	// Blanks must be filled in before the server can work.
	Blanks []Blank

	// Secrets are the values that look like secrets. None of them is a blank.
	Secrets []Secret

	// Notes say what was translated or left out: without secrets. They name everything in Left.
	Notes []words.Text

	// Left are the members of the text's entry that did not come over.
	Left []Left

	// At is where the entry stands in the text.
	At Place

	// Asked are the blanks for what only the other product itself can put in.
	Asked []string

	// Stored is set if the other product keeps values itself that the entry only names.
	Stored bool

	// FromLink is set if the entry was in a link that makes an app add it. The author of the page then chose
	// what runs.
	FromLink bool

	guessed bool // the text only installs the server
}

// Error says why a text has no servers.
type Error struct {
	Message words.Text // what the text is, in one sentence
	Hint    words.Text // what to paste instead
}

// Error returns both sentences in English.
func (e *Error) Error() string { return e.Text().String() }

// Text returns both sentences.
func (e *Error) Text() words.Text {
	return words.New("foreign.diagnosed", "Message", e.Message, "Hint", e.Hint)
}

// Parse returns the entries that a text proposes. If the text has no server, the error is an [*Error] that
// says what the text is and what to paste; then only Rest may be set.
func Parse(text string) (Found, error) {
	if len(text) > MaxSize {
		return Found{}, tooLarge(len(text))
	}
	if strings.Count(text, "\x00") > 0 {
		return Found{}, &Error{words.New("foreign.not_text"), words.New("foreign.hint_what_to_paste")}
	}
	p := newParser(clean(text))
	if strings.TrimSpace(p.text) == "" {
		return Found{}, &Error{words.New("foreign.empty"), words.New("foreign.hint_what_to_paste")}
	}
	p.read()
	if len(p.entries) == 0 {
		return Found{Rest: p.rest}, p.failure()
	}
	return p.found(), nil
}

// Source says what is known about the text of a product.
type Source struct {
	App  string     // the product, for people; empty if it is not known
	Keys [][]string // the first of these paths that exists has the servers; none if they may be anywhere
}

// Servers is [Parse] for the servers of a product in a text that has been read already. There may be none.
func Servers(root *jsonc.Node, from Source) (found Found, problem words.Text) {
	p := newParser("")
	p.app = from.App
	for _, keys := range from.Keys {
		n, s := root, scope{kind: mcpServersKind.Text(), certain: true, inputs: inputsOf(root)}
		for _, key := range keys {
			n = n.LastMember(key)
			s = s.in(key, n)
		}
		switch {
		case n == nil:
			continue
		case n.Kind == jsonc.Object || n.Kind == jsonc.Array:
			p.holder(n, s)
		case n.Kind != jsonc.Null && len(from.Keys) == 1:
			return Found{}, words.New("foreign.no_list_of_servers", "Key", shown(strings.Join(keys, ".")))
		}
		break
	}
	return p.found(), words.Text{}
}

func tooLarge(size int) error {
	return &Error{words.New("foreign.text_too_large", "KiB", size>>10, "Most", MaxSize>>10),
		words.New("foreign.hint_only_server")}
}

// parser collects the result for a text. Each recogniser adds entries and notes, or a reason why there are
// none.
type parser struct {
	text    string
	kind    words.Text
	entries []Entry
	notes   []words.Text
	reason  *Error // the most helpful reason

	rest   []Rest          // what stands among the servers and is none
	beside []string        // what stands beside the objects with servers
	asked  map[string]bool // the ids of the values that are asked for
	app    string          // the product that the text is from, for people; empty if it is not known
	own    bool            // the text is a configuration of ours

	rows     map[string]func(*translation, member) // see spelled
	repaired int                                   // bytes read for repairs of JSON
}

func newParser(text string) *parser { return &parser{text: text, asked: map[string]bool{}} }

// read tries the possible forms of the text, the most certain first.
func (p *parser) read() {
	if len(p.text) > maxLoose {
		if !p.json(p.text) && !p.toml(p.text) && !p.yaml(p.text) {
			p.refuse(words.New("foreign.only_whole", "KiB", maxLoose>>10), words.New("foreign.hint_only_server"))
		}
		return
	}
	blocks := fenced(p.text)
	for _, block := range blocks {
		if len(p.entries) <= MaxEntries {
			p.block(block)
		}
	}
	if len(p.entries) > 0 {
		return
	}
	p.block(unfenced(p.text))
}

// block reads a text that contains one thing.
func (p *parser) block(text string) {
	text = strings.TrimSpace(text)
	before, rest := len(p.entries), len(p.rest)
	for _, try := range []func(string) bool{p.link, p.json, p.toml, p.yaml, p.commands, p.embedded} {
		if try(text) || len(p.entries) > before || len(p.rest) > rest {
			return
		}
	}
}

// say adds a note about the whole text, unless it is there already.
func (p *parser) say(note words.Text) { p.notes = added(p.notes, note) }

// added returns a list with a note added, unless the list has it already.
func added(notes []words.Text, note words.Text) []words.Text {
	if len(notes) >= 50 || slices.ContainsFunc(notes, note.Equal) {
		return notes
	}
	return append(notes, note)
}

// refuse records why nothing was found. The first reason is kept, since it came from the most certain
// recogniser.
func (p *parser) refuse(message, hint words.Text) {
	if p.reason == nil {
		p.reason = &Error{message, hint}
	}
}

func (p *parser) failure() error {
	if p.reason != nil {
		return p.reason
	}
	first, _, _ := strings.Cut(strings.TrimSpace(p.text), "\n")
	return &Error{words.New("foreign.nothing", "Text", shown(first)), words.New("foreign.hint_what_to_paste")}
}

// recognised records what the text was recognised as.
func (p *parser) recognised(kind words.Text) {
	if !p.kind.IsZero() && !p.kind.Equal(kind) {
		kind = words.New("foreign.kind_several")
	}
	p.kind = kind
}

// found completes the entries: unique names, blanks, secrets and diagnostics.
func (p *parser) found() Found {
	if len(p.entries) > MaxEntries {
		p.say(words.New("foreign.too_many", "Most", MaxEntries))
		p.entries = p.entries[:MaxEntries]
	}
	if what := append(stylesOf(p.entries, p.app), otherReference); !p.own {
		for i := range p.entries {
			p.entries[i].escape()
			p.entries[i].translate(what)
			asItIs(&p.entries[i].Server)
		}
	}
	taken := map[string]bool{}
	var entries []Entry
	for _, e := range p.entries {
		if p.app == "" {
			same := repeats(entries, e)
			if same != nil && fold(same.At.Name) != fold(e.At.Name) && e.At.Name != "" {
				p.leave(e.At, words.New("foreign.same_as", "Name", shown(same.Server.Name)))
				continue
			} else if same != nil {
				for _, note := range e.Notes {
					same.note(note)
				}
				continue
			} else if e.guessed && p.startedElsewhere(e) {
				continue
			}
		}
		name := e.Server.Name
		for i := 2; taken[e.Toolbox+"\n"+e.Server.Name]; i++ {
			e.Server.Name = fmt.Sprintf("%s-%d", name, i)
		}
		if e.Server.Name != name {
			e.note(words.New("foreign.more_than_once", "Name", shown(name)))
		}
		taken[e.Toolbox+"\n"+e.Server.Name] = true
		e.findBlanks()
		e.findFolder()
		e.findSecrets()
		e.diagnose()
		entries = append(entries, e)
	}
	p.noteBeside()
	return Found{Kind: p.kind, Entries: entries, Rest: p.rest, Notes: p.notes}
}

// repeats returns the entry that is the same, word for word, as on pages that show the same block for several
// clients; nil if there is none. Of entries with different names, what did not come over may be the difference.
func repeats(entries []Entry, e Entry) *Entry {
	for i := range entries {
		same := e.Server
		same.Name = entries[i].Server.Name
		known := fold(entries[i].At.Name) == fold(e.At.Name) || slices.Equal(entries[i].Missed(), e.Missed())
		if entries[i].Toolbox == e.Toolbox && known && entries[i].Server.Equal(&same) {
			return &entries[i]
		}
	}
	return nil
}

// startedElsewhere reports whether another entry starts what this entry only guessed from an installation.
func (p *parser) startedElsewhere(e Entry) bool {
	for i := range p.entries {
		if other := &p.entries[i]; !other.guessed && suggest(&other.Server) == suggest(&e.Server) {
			return true
		}
	}
	return false
}

func (e *Entry) note(note words.Text) { e.Notes = added(e.Notes, note) }

// diagnose adds the diagnostics of the entry as notes, except those about blanks.
func (e *Entry) diagnose() {
	for _, d := range Diagnose(&e.Server) {
		if d.IsNote() || e.blankAt(d) {
			continue
		}
		e.note(words.New("foreign.diagnosed", "Message", d.Message.AsSentence(), "Hint", d.Hint.AsSentence()))
	}
}

// blankAt reports whether a diagnostic is about a blank.
func (e *Entry) blankAt(d config.Diagnostic) bool {
	return e.asksFor(func(part Part) bool { return strings.Contains(d.Path, "."+part.Field) || d.Lacks(part.Field) })
}

// asksFor reports whether an entry has a blank with a part for which kind is true.
func (e *Entry) asksFor(kind func(Part) bool) bool {
	return slices.ContainsFunc(e.Blanks, func(blank Blank) bool { return slices.ContainsFunc(blank.Parts, kind) })
}

// maxShown is how many bytes of the text a message repeats.
const maxShown = 60

// shown returns a piece of the text for a message, in quotes.
func shown(text string) words.Text { return words.New("foreign.shown", "Text", repeated(text)) }

// repeated returns a piece of the text: short, on one line and without secrets.
func repeated(text string) string {
	cut := text
	if len(cut) > 4*maxShown {
		cut = cut[:4*maxShown]
	}
	cut = secret.Mask(strings.Join(strings.FieldsFunc(cut, func(r rune) bool {
		return r <= ' ' || r == utf8.RuneError
	}), " "))
	if len(cut) > maxShown {
		cut = strings.ToValidUTF8(cut[:maxShown], "") + "…"
	}
	return cut
}

// Inspect makes an entry from a server that did not come from a text, for example from a form. A command line
// in its command is split, a missing name is suggested, and blanks and secrets are found as in a text.
func Inspect(server config.Server) Entry {
	t := &translation{Entry: Entry{Server: server}}
	t.tidyCommand()
	e := t.Entry
	e.translate(stylesOf([]Entry{e}, ""))
	if e.Server.Name == "" {
		e.Server.Name = suggest(&e.Server)
	}
	e.findBlanks()
	e.findSecrets()
	return e
}

// Of makes an entry from a server, which is not changed, and its known blanks. Its secrets are found as in a
// text.
func Of(server config.Server, blanks []Blank) Entry {
	e := Entry{Server: server, Blanks: blanks}
	e.findSecrets()
	return e
}
