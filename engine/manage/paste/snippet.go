// Package paste makes entries of a toolbox from whatever the instructions of a server tell people to paste: a client's
// configuration as JSON, TOML or YAML, a command line that starts a server or adds it to a client, an address, or a
// page with some of these in it.
//
// It knows shapes, starts nothing and looks at nothing but the text. What it translates or leaves out it says in
// [Entry.Notes], in words.
package paste

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// MaxSize is how many bytes of text [Parse] looks at. The largest configurations in the wild have a few hundred KiB.
const MaxSize = 1 << 20

// MaxEntries is how many servers one text may propose. A list that long is no longer read by anybody.
const MaxEntries = 200

// Found is what a text proposes.
type Found struct {
	// Kind says what the text was taken for, as part of a sentence, such as "a command line".
	Kind words.Text

	// Entries are in the order of the text, and their names differ. There is at least one.
	Entries []Entry

	// Notes say what of the text as a whole was repaired, translated or left out: without secrets.
	Notes []words.Text
}

// Entry is one proposed server.
type Entry struct {
	// Server is the entry with its suggested name, which is never empty. Its strings may hold references such as ${HOME}.
	Server config.Server

	// Toolbox is where the text has the server, when it is a configuration with toolboxes; else empty.
	Toolbox string

	// Blanks are what has to be filled in before the server can work.
	Blanks []Blank

	// Secrets are the values that look like secrets. None of them is a blank.
	Secrets []Secret

	// Notes say what was translated or left out: without secrets.
	Notes []words.Text

	// FromLink tells that it was in a link that makes an app add it: whoever wrote the page chose what runs.
	FromLink bool

	guessed bool // the text only installs it
}

// Error says why nothing was found in a text.
type Error struct {
	Message words.Text // what we saw: one sentence
	Hint    words.Text // what to paste instead
}

// Error returns both sentences in English.
func (e *Error) Error() string { return e.Message.String() + " " + e.Hint.String() }

// Parse proposes entries for a text. When the text has no server, the error is an [*Error] that says what was seen and what
// to paste.
func Parse(text string) (Found, error) {
	if len(text) > MaxSize {
		return Found{}, &Error{words.New("paste.text_too_large", "KiB", len(text)>>10, "Most", MaxSize>>10), words.New("paste.hint_only_server")}
	}
	if strings.Count(text, "\x00") > 0 {
		return Found{}, &Error{words.New("paste.not_text"), words.New("paste.hint_what_to_paste")}
	}
	p := &parser{text: clean(text)}
	if strings.TrimSpace(p.text) == "" {
		return Found{}, &Error{words.New("paste.empty"), words.New("paste.hint_what_to_paste")}
	}
	p.read()
	if len(p.entries) == 0 {
		return Found{}, p.failure()
	}
	return p.found(), nil
}

// parser collects what a text has. Recognisers add entries and notes, or a reason why there are none.
type parser struct {
	text    string
	kind    words.Text
	entries []Entry
	notes   []words.Text
	reason  *Error // the most telling one

	repaired int // bytes that were read to repair JSON
}

// read tries what the text may be, the surest first.
func (p *parser) read() {
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

// block reads one text that holds one kind of thing.
func (p *parser) block(text string) {
	text = strings.TrimSpace(text)
	before := len(p.entries)
	for _, try := range []func(string) bool{p.link, p.json, p.toml, p.yaml, p.commands, p.embedded} {
		if try(text) || len(p.entries) > before {
			return
		}
	}
}

// say adds a note about the whole text, once.
func (p *parser) say(note words.Text) { p.notes = added(p.notes, note) }

// added adds a note to a list that does not have it.
func added(notes []words.Text, note words.Text) []words.Text {
	if len(notes) >= 50 || slices.ContainsFunc(notes, note.Equal) {
		return notes
	}
	return append(notes, note)
}

// refuse remembers why nothing was found. The first reason is kept: it came from the surest recogniser.
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
	return &Error{words.New("paste.nothing", "Text", shown(first)), words.New("paste.hint_what_to_paste")}
}

// recognised remembers what the text was taken for.
func (p *parser) recognised(kind words.Text) {
	if !p.kind.IsZero() && !p.kind.Equal(kind) {
		kind = words.New("paste.kind_several")
	}
	p.kind = kind
}

// found finishes the entries: names that differ, what is to be filled in, what is secret, what is still wrong.
func (p *parser) found() Found {
	if len(p.entries) > MaxEntries {
		p.say(words.New("paste.too_many", "Most", MaxEntries))
		p.entries = p.entries[:MaxEntries]
	}
	taken := map[string]bool{}
	var entries []Entry
	for _, e := range p.entries {
		if repeats(entries, e) || e.guessed && p.startedElsewhere(e) {
			continue
		}
		name := e.Server.Name
		for i := 2; taken[e.Toolbox+"\n"+e.Server.Name]; i++ {
			e.Server.Name = fmt.Sprintf("%s-%d", name, i)
		}
		if e.Server.Name != name {
			e.note(words.New("paste.more_than_once", "Name", shown(name)))
		}
		taken[e.Toolbox+"\n"+e.Server.Name] = true
		e.findBlanks()
		e.findFolder()
		e.findSecrets()
		e.diagnose()
		entries = append(entries, e)
	}
	return Found{Kind: p.kind, Entries: entries, Notes: p.notes}
}

// repeats reports whether an entry is there already, word by word, as on pages that show the same block for several clients.
func repeats(entries []Entry, e Entry) bool {
	for i := range entries {
		same := e.Server
		same.Name = entries[i].Server.Name
		if entries[i].Toolbox == e.Toolbox && entries[i].Server.Equal(&same) {
			return true
		}
	}
	return false
}

// startedElsewhere reports whether what an entry guesses from an installation is started by another one.
func (p *parser) startedElsewhere(e Entry) bool {
	for i := range p.entries {
		if other := &p.entries[i]; !other.guessed && suggest(&other.Server) == suggest(&e.Server) {
			return true
		}
	}
	return false
}

func (e *Entry) note(note words.Text) { e.Notes = added(e.Notes, note) }

// diagnose adds what the configuration would say about the entry as it stands. What is only waiting to be filled in is
// no problem yet.
func (e *Entry) diagnose() {
	for _, d := range Diagnose(&e.Server) {
		if d.Severity == config.SeverityInfo || e.blankAt(d) || d.NamesOnly {
			continue
		}
		e.note(words.New("paste.diagnosed", "Message", d.Message.AsSentence(), "Hint", d.Hint.AsSentence()))
	}
}

// blankAt reports whether a problem is about a place that is to be filled in.
func (e *Entry) blankAt(d config.Diagnostic) bool {
	return e.asksFor(func(part Part) bool { return strings.Contains(d.Path, "."+part.Field) || d.Lacks(part.Field) })
}

// asksFor reports whether a part that is to be filled in is of a kind.
func (e *Entry) asksFor(kind func(Part) bool) bool {
	return slices.ContainsFunc(e.Blanks, func(blank Blank) bool { return slices.ContainsFunc(blank.Parts, kind) })
}

// maxShown is how many bytes of the text a message repeats.
const maxShown = 60

// shown is a piece of the text as a message may repeat it, in quotes.
func shown(text string) words.Text { return words.New("paste.shown", "Text", repeated(text)) }

// repeated is a piece of the text in one line, short, without secrets.
func repeated(text string) string {
	cut := text
	if len(cut) > 4*maxShown {
		cut = cut[:4*maxShown]
	}
	cut = secret.Mask(strings.Join(strings.FieldsFunc(cut, func(r rune) bool { return r <= ' ' || r == utf8.RuneError }), " "))
	if len(cut) > maxShown {
		cut = strings.ToValidUTF8(cut[:maxShown], "") + "…"
	}
	return cut
}

// Inspect makes an entry of a server that did not come from a text, such as one that was typed into a form: a command
// line in its command is taken apart, a missing name suggested, and blanks and secrets are found as in a text.
func Inspect(server config.Server) Entry {
	t := &translation{Entry: Entry{Server: server}}
	t.tidyCommand()
	t.references()
	e := t.Entry
	if e.Server.Name == "" {
		e.Server.Name = suggest(&e.Server)
	}
	e.findBlanks()
	e.findSecrets()
	return e
}

// Of makes an entry of a server that stays as it is, and of what is known to be asked for. Its secrets are found as in a text.
func Of(server config.Server, blanks []Blank) Entry {
	e := Entry{Server: server, Blanks: blanks}
	e.findSecrets()
	return e
}
