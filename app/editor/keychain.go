package editor

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// keptName returns the name of the secret if value is a reference to the keychain and nothing else. Otherwise it
// returns "".
func keptName(value string) string {
	name, ok := strings.CutPrefix(value, "${keyring:")
	references := config.References(value)
	if !ok || len(references) != 1 || name != references[0].Name+"}" {
		return ""
	}
	return references[0].Name
}

// keepFirst reports whether a draft is not to be applied now, because its value belongs in the keychain: the keychain
// is asked, or has refused the value and the user has not agreed yet to have it in the file.
func (s *setup) keepFirst(d *model.Draft) bool {
	v, ok := s.unitOf(d).(*variables)
	if !ok {
		return false
	}
	i := slices.IndexFunc(v.rows, func(row *variable) bool { return row.id == d.Row })
	if i < 0 || !v.toKeep(v.rows[i]) {
		return false
	}
	if v.rows[i].keepFailed == "" {
		v.setKept(v.rows[i], true)
	}
	return true
}

// toKeep reports whether the user has typed a value that goes into the keychain before it is saved.
func (v *variables) toKeep(row *variable) bool {
	d := v.draft(row)
	return d != nil && d.Now.There && d.Now.Text != d.Was.Text && !row.inFile &&
		!strings.Contains(d.Now.Text, "${") && // what is in the keychain is taken as it is
		len(secret.ToKeep(d.Now.Name, d.Now.Text)) > 0
}

// failedNote says that the keychain did not take a value, and offers to keep the value in the file.
func (v *variables) failedNote(row *variable) kit.Note {
	return kit.Note{State: theme.StateWrong,
		Text: lang.L("Your keychain did not take it: {{.Reason}}", map[string]any{"Reason": row.keepFailed}),
		Acts: []kit.Act{{Label: lang.L("Try again"), Do: func() { v.setKept(row, true) }},
			{Label: lang.L("Keep it in the file"), Do: func() {
				row.inFile, row.keepFailed = true, ""
				if d := v.draft(row); d != nil {
					d.Wanted = true
				}
				v.setup.check()
			}}}}
}

// setKept moves the value of a row into the keychain, or back into the file.
func (v *variables) setKept(row *variable, keep bool) {
	s := v.setup
	if !slices.Contains(v.rows, row) {
		return // the row belongs to another entry
	}
	row.keepFailed = ""
	now := v.now(row)
	if !keep && keptName(now.Text) == "" {
		row.inFile = true
	}
	if now.Name == "" || row.keeping || keep && now.Text == "" || row.inFile && !keep {
		s.show()
		return
	}
	row.keeping, row.inFile = true, !keep
	held := v.draft(row)
	if held != nil {
		held.Held = true // so that the value does not get into the file meanwhile
	}
	place, base, file := v.place(row), s.base, row.file
	finish := func(value string, err error) {
		row.keeping = false
		if held != nil {
			held.Held, place = false, held.Place
		}
		switch {
		case held != nil && (s.drafts.At(place) != held || held.Now != now): // the text was discarded or changed meanwhile
		case err == nil:
			now.Text = value
			d := s.drafts.Type(place, base, file, now)
			if d != nil {
				d.Wanted = true
			}
			if d != nil && place.Server != s.view.Choice {
				s.drafts.Apply(d, false)
			}
		case place.Server != s.view.Choice:
			s.program.NotSaved(place.Server, err)
		default:
			row.keepFailed = kit.Sentence(kit.SayError(err))
		}
		s.changed()
	}
	s.show()
	if keep {
		text := now.Text
		if v.name == "headers" {
			text = secret.WithScheme(row.file.Text, text)
		}
		s.program.KeepSecret(s.secretName(now.Name), text, func(kept string, err error) {
			delete(s.secrets, kept)
			finish("${keyring:"+kept+"}", err)
		})
		return
	}
	s.program.ReadSecret(keptName(now.Text), finish)
}
