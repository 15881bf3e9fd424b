package editor

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// keptName is the name of the secret that a value is, when it is nothing else.
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
		return // it is of another entry
	}
	row.keepFailed = ""
	if row.name.text == "" || row.keeping {
		s.show()
		return
	}
	finish := func(value string, err error) {
		row.keeping = false
		if err != nil {
			row.keepFailed = kit.Sentence(kit.SayError(err))
			s.show()
			return
		}
		row.value.typed(value)
		s.typed()
		s.commit(v)
	}
	if keep {
		value := row.value.text
		if value == "" || s.actions.KeepSecret == nil {
			s.show()
			return
		}
		row.keeping = true
		s.show()
		s.actions.KeepSecret(s.secretName(row.name.text), value, func(kept string, err error) {
			s.forgetSecret(kept)
			finish("${keyring:"+kept+"}", err)
		})
		return
	}
	if s.actions.ReadSecret == nil {
		s.show()
		return
	}
	row.keeping = true
	s.show()
	s.actions.ReadSecret(keptName(row.value.text), finish)
}
