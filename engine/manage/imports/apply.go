package imports

import (
	"errors"
	"slices"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Ops are the edits that bring the servers: to be made as one change. There are none when there is nothing to bring.
func (p *Plan) Ops() []edit.Op {
	if len(p.Servers) == 0 {
		return nil
	}
	var ops []edit.Op
	if p.New {
		ops = append(ops, edit.AddToolbox{Name: p.Toolbox, Description: p.about()})
	}
	for i := range p.Servers {
		f := &p.Servers[i]
		ops = append(ops, edit.AddServer{Toolbox: p.Toolbox, Name: f.As, Entry: f.MarshalEntry()})
	}
	return ops
}

// about describes a new toolbox by its servers, but for those that are switched off.
func (p *Plan) about() string {
	var names []string
	for i := range p.Servers {
		if !p.Servers[i].Entry.Disabled {
			names = append(names, plain(p.Servers[i].As))
		}
	}
	return edit.About(names)
}

// Label says in words what the import does, for the history.
func (p *Plan) Label() string { return p.Says().String() }

// Says returns the label in any language.
func (p *Plan) Says() words.Text {
	var apps []string
	for _, f := range p.Servers {
		if !slices.Contains(apps, f.App) {
			apps = append(apps, plain(f.App))
		}
	}
	return words.New("imports.label", "Count", len(p.Servers), "Apps", apps, "Toolbox", strconv.Quote(p.Toolbox))
}

// Keep puts everything that looks like a secret into a keychain, and references to it into the entries. Names that hold something else are
// not touched: another one is found. When it fails, what it put there is taken out again and the plan is as it was. Call undo when the
// plan is not carried out after all.
func (p *Plan) Keep(secrets keychain.Store) (undo func() error, err error) {
	var made []string
	undo = func() error {
		var errs []error
		for _, name := range made {
			if err := secrets.Delete(name); err != nil {
				errs = append(errs, words.NewError("imports.not_taken_out", "Name", name, "Why", err))
			}
		}
		return errors.Join(errs...)
	}
	servers := slices.Clone(p.Servers)
	for i := range servers {
		f := &servers[i]
		f.Secrets = slices.Clone(f.Secrets)
		var replacements []paste.Replacement
		for j := range f.Secrets {
			s := &f.Secrets[j]
			name, isNew, err := keychain.Keep(secrets, s.Keychain, s.Text)
			if err != nil {
				if left := undo(); left != nil {
					err = errors.Join(err, left)
				}
				return nil, err // alone it can be said in any language
			}
			if isNew {
				made = append(made, name)
			}
			s.Keychain = name
			replacements = append(replacements, paste.Replacement{Part: s.Part, With: "${keyring:" + name + "}"})
		}
		f.Entry = *paste.Replace(&f.Entry, replacements)
	}
	p.Servers = servers
	return undo, nil
}
