package editor

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
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

// setKept moves the value of a row into the keychain, or back into the file.
func (v *variables) setKept(row *variable, keep bool) {
	s := v.setup
	if !slices.Contains(v.rows, row) {
		return // the row belongs to another entry
	}
	row.keepFailed = ""
	now := v.now(row)
	if now.Name == "" || row.keeping || keep && now.Text == "" {
		s.show()
		return
	}
	row.keeping = true
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
			if d != nil && place.Server != s.view.Choice {
				s.drafts.Apply(d, false)
			}
		case place.Server != s.view.Choice:
			s.actions.NotSaved(place.Server, err)
		default:
			row.keepFailed = kit.Sentence(kit.SayError(err))
		}
		s.changed()
	}
	s.show()
	if keep {
		s.actions.KeepSecret(s.secretName(now.Name), now.Text, func(kept string, err error) {
			delete(s.secrets, kept)
			finish("${keyring:"+kept+"}", err)
		})
		return
	}
	s.actions.ReadSecret(keptName(now.Text), finish)
}
