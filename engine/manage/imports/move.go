package imports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

// Out are entries of one file that can be taken out of it once their servers are here.
type Out struct {
	Client clients.Client
	File   string
	Names  []string
	Source []byte // the file in which they were seen
}

// Leaving is what becomes of the entries from which servers come, when they are moved.
type Leaving struct {
	Out      []Out
	Commands []string  // for apps whose file is not ours to write: what people run at a terminal
	Stay     []Skipped // entries that stay, with the reason
}

// Leave looks which entries can be taken out of the files of the apps, once the plan has been carried out. An entry has to be what it was
// when the plan was made, and to come whole: one that is to be filled in first is still needed where it is. Of what does not come, those can go whose
// very server is in a toolbox already.
func (p *Plan) Leave(system clients.System) Leaving {
	var l Leaving
	stay := func(o Origin, format string, args ...any) {
		l.Stay = append(l.Stay, Skipped{Origin: o, Reason: fmt.Sprintf(format, args...)})
	}
	type file struct {
		source  source
		origins []Origin
	}
	var files []file
	take := func(o Origin) {
		s, known := sourceOf(system, o)
		switch {
		case o.Client == "":
			stay(o, "The file that was named stays as it is.")
		case filepath.Base(o.File) == ".mcp.json" && o.Project != "":
			stay(o, "It is in the folder of a project, where others may need it.")
		case known && s.app.ByHand != "":
			l.Commands = append(l.Commands, system.RemoveCommand(s.app, o.Name, o.Project))
		case !known || o.Name == "":
			stay(o, "It cannot be found again.")
		default:
			at := slices.IndexFunc(files, func(f file) bool { return f.source.path == o.File })
			if at < 0 {
				at, files = len(files), append(files, file{source: s})
			}
			files[at].origins = append(files[at].origins, o)
		}
	}
	for i := range p.Servers {
		f := &p.Servers[i]
		for _, o := range append([]Origin{f.Origin}, f.Same...) {
			if len(f.ToFill) > 0 {
				stay(o, "It stays until this has been filled in here: %s.", strings.Join(f.ToFill, ", "))
			} else {
				take(o)
			}
		}
	}
	for _, s := range p.Skipped {
		if s.Here {
			take(s.Origin)
		}
	}
	for _, f := range files {
		out := Out{Client: f.source.app, File: f.source.path}
		data, problem := read(f.source.path)
		out.Source = data
		var d document
		if problem == "" {
			d, problem = parse(data, f.source.format)
		}
		var entries []member
		if problem == "" {
			entries, problem = d.entries(f.source.keys)
		}
		for _, o := range f.origins {
			at := slices.IndexFunc(entries, func(m member) bool { return m.name == o.Name })
			switch {
			case problem != "":
				stay(o, "%s", problem)
			case at < 0:
				stay(o, "It is gone already.")
			case fingerprint(asJSON(entries[at].value)) != o.seen:
				stay(o, "It has changed meanwhile.")
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

// sourceOf finds the file of an app that an entry is from.
func sourceOf(system clients.System, o Origin) (source, bool) {
	for _, s := range sources(system, o.Client) {
		if s.path == o.File {
			return s, true
		}
	}
	return source{}, false
}

// fingerprint tells whether an entry is what it was, without keeping it: it may hold secrets.
func fingerprint(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
