package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// tidyDocker changes a container that is started for a terminal so that it can talk to a client, and adds
// blanks for variables that are given only by name.
func (t *translation) tidyDocker() {
	s := &t.Server
	if !launcher.Is(s.Command, launcher.Container) || len(s.Args) == 0 || s.Args[0] != "run" &&
		s.Args[0] != "container" || !slices.Contains(s.Args, "run") {
		return
	}
	interactive := false
	image := false
	start := slices.Index(s.Args, "run") + 1
	for i := start; i < len(s.Args) && !image; i++ {
		arg := s.Args[i]
		switch {
		case arg == "-it" || arg == "-ti":
			s.Args[i] = "-i"
			interactive = true
			t.note(words.New("foreign.no_terminal", "Flag", arg))
		case arg == "-i" || arg == "--interactive":
			interactive = true
		case arg == "-d" || arg == "--detach":
			t.note(words.New("foreign.background"))
		case (arg == "-e" || arg == "--env") && i+1 < len(s.Args):
			i++
			if !strings.Contains(s.Args[i], "=") {
				t.wants(s.Args[i])
			}
		case strings.HasPrefix(arg, "-e") && !strings.Contains(arg, "="), strings.HasPrefix(arg, "--env="):
			if name := strings.TrimPrefix(strings.TrimPrefix(arg, "--env="), "-e"); !strings.Contains(name, "=") {
				t.wants(name)
			}
		case strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") &&
			slices.Contains(launcher.Of(s.Command).Valued, arg):
			i++
		case strings.HasPrefix(arg, "-"):
			if !strings.HasPrefix(arg, "--") && strings.Contains(arg, "i") && len(arg) <= 4 && !strings.Contains(arg, "=") {
				interactive = true
			}
		default:
			image = true
		}
	}
	if !interactive {
		s.Args = slices.Insert(s.Args, start, "-i")
		t.note(words.New("foreign.interactive"))
	}
}

// wants adds a variable that a container takes from its environment.
func (t *translation) wants(name string) {
	if name != "" && !slices.ContainsFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name }) {
		t.Server.Env = append(t.Server.Env, config.Variable{Name: name})
	}
}
