package toolboxes

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Problem is a problem with the texts that say it.
type Problem struct {
	*model.Problem

	// names the place to people: "research › search › Command"; the position in the file if there is no better name
	Where string
	Line  string // a text about the line of the file if Where does not name it, otherwise empty
	// names the place to editors: file:line:column; the path of a file that cannot be read; otherwise empty
	Place   string
	Message string // what is wrong
	Hint    string // what to do, or empty
	State   theme.State
	Fix     string // the text of the button that helps, empty without one
}

// say returns a problem with its texts. Those of a server are what its card says, before the View knows what this
// computer lacks.
func (v View) say(problem *model.Problem) Problem {
	said := Problem{Problem: problem, State: live.OfWeight(problem.Weight)}
	switch problem.Kind {
	case model.FileUnread:
		said.Where, said.Place = v.Path, v.Path
		if problem.Err != nil {
			said.Message = kit.Sentence(kit.SayError(problem.Err))
		}
	case model.ApprovalsLost:
		said.Where, said.Place = lang.L("The approvals cannot be read"), v.Path
		said.Message = kit.Sentence(kit.SayError(problem.Err))
		said.Hint = lang.L("All servers wait until you have approved them once more.")
	case model.OfServer:
		said.Where = kit.Way(problem.At.Toolbox, problem.At.Server)
		if server := v.server(problem.At); server != nil {
			said.Message = cmp.Or(server.Detail, server.Word)
		}
	case model.OfComputer:
		said.Where, said.Message = kit.Say(problem.Check.Title), problem.Check.Describe(kit.Words())
		said.Hint = kit.Say(problem.Check.Advice)
	case model.OfFile:
		diagnostic := problem.Diagnostic
		said.Place = place(v.Path, diagnostic)
		said.Message = kit.Sentence(kit.Say(diagnostic.Message))
		said.Hint = kit.Hint(diagnostic.Message, kit.Say(diagnostic.Hint))
		said.Where, said.Line = where(problem), lang.L("Line {{.Line}}", map[string]any{"Line": diagnostic.Line})
		if said.Where == "" {
			said.Where, said.Line = said.Line, ""
		}
	}
	return said
}

// offer sets the text of the button. server is the one with the problem, or nil.
func (p *Problem) offer(server *Server) {
	p.Fix = ""
	switch {
	case p.Offer == model.OfferFix:
		p.Fix = kit.Say(p.Diagnostic.Fix.Title)
	case p.Offer == model.OfferReview:
		p.Fix = live.HelpWords(model.HelpReview)
	case p.Offer == model.OfferHelp && server != nil:
		p.Fix = server.FixWord()
	}
}

// where names the place of a problem of the file. It is empty if the problem is about the file as a whole.
func where(problem *model.Problem) string {
	at, inside := problem.At, problem.Inside
	if at.Toolbox == "" {
		return inside
	}
	where := at.Toolbox
	if at.Server != "" {
		where = kit.Way(where, at.Server)
		if name := live.Fields()[problem.Field]; name != "" {
			rest := strings.TrimPrefix(inside, problem.Field)
			if member, ok := strings.CutPrefix(rest, "."); ok {
				inside = kit.Way(name, member)
			} else {
				inside = name + rest
			}
		}
	}
	if inside != "" && inside != "mcpServers" {
		where = kit.Way(where, inside)
	}
	return where
}

// place returns a position in the file in the form that editors understand.
func place(path string, diagnostic config.Diagnostic) string {
	return filepath.Base(path) + ":" + strconv.Itoa(diagnostic.Line) + ":" + strconv.Itoa(diagnostic.Column)
}

// onCards reports whether the cards of a toolbox say all problems that there are.
func (v View) onCards(toolbox Toolbox) bool {
	return !slices.ContainsFunc(v.Problems, func(problem Problem) bool {
		server := v.server(problem.At)
		return server == nil || problem.At.Toolbox != toolbox.Name || !server.says(problem)
	})
}

// says reports whether the card of the server says a problem of the server.
func (s Server) says(problem Problem) bool {
	return problem.Kind == model.OfServer || (s.Lacks() || s.misses()) && problem.NoProgram() ||
		strings.Contains(s.Detail, problem.Message)
}

// misses reports whether the server was started and its program was not found. Its card says so in the engine's words.
func (s Server) misses() bool { return s.Problem != nil && s.Problem.Kind == status.KindProgram }

// ProblemCount returns a text with the number of problems.
func ProblemCount(found *model.Findings) string {
	count := found.Count()
	return lang.N("{{.Count}} problems", count, map[string]any{"Count": count})
}
