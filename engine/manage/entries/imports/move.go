package imports

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Out is a file with the entries that can be removed from it once their servers are in a toolbox.
type Out struct {
	Client clients.Client
	File   string
	Names  []string
	Source *excerpt.File // the content of the file when the entries were read
}

// Leaving says what happens to the entries of imported servers when the servers are moved.
type Leaving struct {
	Out      []Out
	Commands []string  // commands that people run in a terminal, for apps whose file we must not write
	Stay     []Skipped // entries that stay, with the reason
}

// Leave returns which entries can be removed from the files of the apps after the plan has been carried out. An entry
// must be unchanged since the plan was made, must have been imported completely, and must not have failed when it was
// tried: an entry with blanks, or with something that did not come over, is still needed in the app. An entry that is
// not imported can be removed if the same server is in a toolbox already.
func (p *Plan) Leave(system clients.System) Leaving {
	var l Leaving
	stay := func(o Origin, reason words.Text) {
		l.Stay = append(l.Stay, Skipped{Origin: o, Reason: reason})
	}
	type file struct {
		source  source
		origins []Origin
	}
	var files []file
	take := func(o Origin) {
		s, known := sourceOf(system, o)
		switch {
		case o.missed != "":
			stay(o, words.New("imports.stays_lossy", "Names", plain(o.missed)))
		case o.Client == "":
			stay(o, words.New("imports.stays_named"))
		case filepath.Base(o.File) == ".mcp.json" && o.Project != "":
			stay(o, words.New("imports.stays_project"))
		case known && s.app.ByHand != "":
			l.Commands = append(l.Commands, system.RemoveCommand(s.app, o.Name, o.Project))
		case !known || o.Name == "":
			stay(o, words.New("imports.not_found_again"))
		default:
			at := slices.IndexFunc(files, func(f file) bool { return f.source.path == o.File && f.origins[0].keys == o.keys })
			if at < 0 {
				at, files = len(files), append(files, file{source: s})
				files[at].source.app.Key, files[at].source.app.Newer = strings.Split(o.keys, "\x00"), nil
			}
			files[at].origins = append(files[at].origins, o)
		}
	}
	for i := range p.Servers {
		f := &p.Servers[i]
		for _, o := range append([]Origin{f.Origin}, f.Same...) {
			switch {
			case len(f.ToFill) > 0:
				stay(o, words.New("imports.stays_unfilled", "Names", f.ToFill))
			case f.failed && o.missed == "":
				stay(o, words.New("imports.stays_failed", "Name", plain(f.As)))
			default:
				take(o)
			}
		}
	}
	for _, s := range p.Skipped {
		switch {
		case s.Here && s.failed && s.missed == "":
			stay(s.Origin, words.New("imports.stays_failed", "Name", plain(s.there.Name)))
		case s.Here:
			take(s.Origin)
		}
	}
	for _, f := range files {
		out := Out{Client: f.source.app, File: f.source.path}
		content, problem := f.source.read()
		out.Source = content
		var d document
		if problem.IsZero() {
			d, problem = parse(content.Text, f.source.format)
		}
		for _, o := range f.origins {
			there := d.entry(o.Name, f.source.app.Key...)
			switch {
			case !problem.IsZero():
				stay(o, problem)
			case there == nil:
				stay(o, words.New("imports.gone"))
			case fingerprint(there) != o.seen:
				stay(o, words.New("imports.changed"))
			default:
				out.Names = append(out.Names, o.Name)
			}
		}
		if len(out.Names) > 0 {
			l.Out = append(l.Out, out)
		}
	}
	return l
}

// Double reports whether the server of the entry is in a toolbox already and can start there, so that the app does not
// need the entry. See [Plan.Check].
func (s *Skipped) Double() bool { return s.Here && !s.failed && s.missed == "" && s.Name != "" }

// Doubles returns the names of the entries that their apps do not need, each once.
func (p *Plan) Doubles() []string {
	var names []string
	for i := range p.Skipped {
		if s := &p.Skipped[i]; s.Double() && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// sourceOf returns the file of an app that an entry comes from.
func sourceOf(system clients.System, o Origin) (source, bool) {
	for _, s := range sources(system, o.Client) {
		if s.path == o.File {
			return s, true
		}
	}
	return source{}, false
}

// fingerprint returns a checksum of an entry, by which a change is noticed. The entry itself is not kept,
// since it may hold secrets.
func fingerprint(entry *jsonc.Node) string {
	if entry == nil { // a command line, a link or an address
		return ""
	}
	sum := sha256.Sum256([]byte(entry.Compact()))
	return hex.EncodeToString(sum[:])
}
