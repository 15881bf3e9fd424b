package imports

import (
	"errors"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Ops returns the edits that add the servers, to be made as one change. There are none if there is nothing to
// add.
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

// about returns a description for a new toolbox that names its servers, except those that are turned off.
func (p *Plan) about() string {
	var names []string
	for i := range p.Servers {
		if !p.Servers[i].Entry.Disabled {
			names = append(names, plain(p.Servers[i].As))
		}
	}
	return edit.About(names)
}

// Label describes the import for the history.
func (p *Plan) Label() string { return p.Says().String() }

// Says returns the label in any language.
func (p *Plan) Says() words.Text {
	var apps []string
	for _, f := range p.Servers {
		if !slices.Contains(apps, f.App) {
			apps = append(apps, plain(f.App))
		}
	}
	return words.New("imports.label", "Count", len(p.Servers), "Apps", apps, "Toolbox", words.Quoted(p.Toolbox))
}

// Keep stores everything that looks like a secret in a keychain and replaces it in the entries by references.
// If a name in the keychain holds something else, another name is used. If Keep fails, it removes what it has
// stored and leaves the plan unchanged. Call undo if the plan is not carried out after all.
func (p *Plan) Keep(secrets keychain.Store) (undo func() error, err error) {
	var made []string
	undo = func() error {
		var errs []error
		for _, name := range made {
			if err := secrets.Delete(name); err != nil {
				errs = append(errs, words.NewError("imports.not_taken_out", "Name", words.Quoted(name), "Why", err))
			}
		}
		return errors.Join(errs...)
	}
	servers := slices.Clone(p.Servers)
	for i := range servers {
		f := &servers[i]
		f.Secrets = slices.Clone(f.Secrets)
		var replacements []foreign.Replacement
		for j := range f.Secrets {
			s := &f.Secrets[j]
			name, isNew, err := keychain.Keep(secrets, s.Keychain, s.Text)
			if err != nil {
				if left := undo(); left != nil {
					err = errors.Join(err, left)
				}
				return nil, err // a single error keeps its translation
			}
			if isNew {
				made = append(made, name)
			}
			s.Keychain = name
			replacements = append(replacements, foreign.Replacement{Part: s.Part, With: "${keyring:" + name + "}"})
		}
		f.Entry = *foreign.Replace(&f.Entry, replacements)
	}
	p.Servers = servers
	return undo, nil
}
