package clients

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// Process is a running process. Path is that of its executable, or only its name if the system does not tell
// more.
type Process struct {
	Pid  int
	Path string
}

// Running returns the processes of a client that must not run while its file is written; it is empty for all
// other clients.
func (s System) Running(c Client) ([]Process, error) {
	if len(c.Programs) == 0 || s.Processes == nil {
		return nil, nil
	}
	all, err := s.Processes()
	if err != nil {
		return nil, err
	}
	var found []Process
	for _, p := range all {
		for _, program := range c.Programs {
			if s.is(p, program) {
				found = append(found, p)
				break
			}
		}
	}
	return found, nil
}

func (s System) is(p Process, program client.Program) bool {
	if program.OS != "" && program.OS != s.kind() {
		return false
	}
	where, in, want := p.Path, program.In, program.Name
	if s.OS == "windows" {
		where = strings.ReplaceAll(where, `\`, "/")
	}
	if s.OS == "windows" || s.OS == "darwin" {
		where, in, want = strings.ToLower(where), strings.ToLower(in), strings.ToLower(want)
	}
	name := where[strings.LastIndex(where, "/")+1:]
	if s.OS == "windows" {
		name = strings.TrimSuffix(name, ".exe")
	}
	if name != want {
		return false
	}
	// If only the name is known, it must be enough.
	return in == "" || !strings.Contains(where, "/") || strings.Contains(where, in)
}
