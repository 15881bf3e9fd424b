package editor

import (
	"bytes"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// secretName returns the name under which the keychain is to store the value of a variable: the name of the variable
// or, if the file has a reference of that name already, a name with the toolbox and the server.
func (s *setup) secretName(variable string) string {
	name := strings.TrimSpace(strings.ReplaceAll(kit.Line(variable), "}", ""))
	if s.view.document == nil || !bytes.Contains(s.view.document.Source, []byte("${keyring:"+name+"}")) {
		return name
	}
	return strings.TrimSpace(strings.ReplaceAll(kit.Line(s.view.Toolbox+"/"+s.view.Server+"/"+name), "}", ""))
}

// hasSecret returns whether the keychain has a secret. The first call asks the keychain. When the answer is known, the
// form is drawn again.
func (s *setup) hasSecret(name string) model.SecretState {
	state, known := s.secrets[name]
	if !known {
		s.secrets[name] = model.SecretUnknown
		asked := s.secrets
		s.program.HasSecret(name, func(has bool, err error) {
			switch {
			case err != nil:
			case has:
				asked[name] = model.SecretPresent
			default:
				asked[name] = model.SecretMissing
			}
			s.later(s.show)
		})
		state = s.secrets[name]
	}
	return state
}

// look is the result of looking for the program.
type look struct {
	asked bool   // the search was started
	key   string // what the search depends on
	done  bool   // there is a result, perhaps of the search before
	path  string // the program, if err is nil
	err   error
}

// lookUp looks for the program of the command in the form, unless the result for the same values is known.
func (s *setup) lookUp() {
	if !s.form.kind.program() {
		return
	}
	server := config.Server{Name: s.view.Server, Transport: config.TransportStdio, Command: s.form.command.text(),
		Cwd: s.form.cwd.text()}
	for _, row := range slices.DeleteFunc(slices.Clone(s.form.env.rows), s.form.env.removed) {
		now := s.form.env.now(row)
		server.Env = append(server.Env, config.Variable{Name: now.Name, Value: now.Text})
	}
	key := server.Command + "\x00" + server.Cwd + "\x00" + s.view.installed
	for _, variable := range server.Env {
		if strings.EqualFold(variable.Name, "PATH") {
			key += "\x00" + variable.Value
		}
	}
	if s.look.asked && s.look.key == key {
		return
	}
	// the form shows the last result until the new one is known, so that its fields stay where they are
	s.look.asked, s.look.key = true, key
	if strings.TrimSpace(server.Command) == "" {
		s.look.done = false
		return
	}
	s.program.LookPath(server, func(path string, err error) {
		if s.look.key == key {
			s.look.done, s.look.path, s.look.err = true, path, err
			s.later(s.show)
		}
	})
}
