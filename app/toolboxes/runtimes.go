package toolboxes

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// With returns a View of the same snapshot with other findings, which also know what this computer lacks. Each server
// whose program is missing says so, or that the program is being installed. v is a View from [NewView].
func (v View) With(found *model.Findings) View {
	plain, copied := v, false
	v.Findings = found
	for t := range v.Toolboxes {
		for i := range v.Toolboxes[t].Servers {
			server := plain.Toolboxes[t].Servers[i]
			now := found.Of(server.At)
			if now == server.Finding {
				continue
			}
			if !copied {
				copied = true
				v.Toolboxes = slices.Clone(v.Toolboxes)
				for n := range v.Toolboxes {
					v.Toolboxes[n].Servers = slices.Clone(v.Toolboxes[n].Servers)
				}
			}
			server.Finding = now
			if word := runtimes.Word(now.Lack, now.Server.Server); word != "" {
				server.Word, server.Note = word, word
			}
			switch missed := now.Lack.Runtime; {
			case missed.Busy:
				server.State, server.Detail = theme.StateWorking, runtimes.Doing(missed)
			case missed.ID != "":
				server.Detail = runtimes.Absent(missed.Name)
			}
			v.Toolboxes[t].Servers[i] = server
		}
	}
	said := map[*model.Problem]Problem{}
	for _, problem := range plain.Problems {
		said[problem.Problem] = problem
	}
	v.Problems = make([]Problem, len(found.Problems))
	for i, problem := range found.Problems {
		now, known := said[problem]
		if !known {
			now = plain.say(problem)
		}
		now.offer(v.server(problem.At))
		v.Problems[i] = now
	}
	return v
}

// offer makes the button fix say which product the server lacks, with its size if there is room. It changes nothing if
// the server lacks none.
func (c *card) offer(width float32) {
	if label := runtimes.LackLabel(c.look.server.Lack, width < cardWide); label != "" {
		c.fix.SetText(label)
	}
}
