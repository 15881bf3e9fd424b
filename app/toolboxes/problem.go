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
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
)

// Problem is a problem of the file or of one of its servers, as shown.
type Problem struct {
	// names the place to people: "research › search › Command"; the position in the file if there is no better name
	Where string
	Line  string // a text about the line of the file if Where does not name it, otherwise empty
	// names the place to editors: file:line:column; the path of a file that cannot be read; otherwise empty
	Place   string
	Message string // what is wrong
	Hint    string // what to do, or empty
	State   theme.State
	Fix     string       // the text of the button that applies the fix, empty without one
	At      model.Choice // the toolbox or server with the problem; zero if that is unknown
	Field   string       // the field of the server, such as "command"; empty if the problem is not about one

	Computer bool // the problem is with the computer, found by the doctor

	// Diagnostic is the problem as package config reports it. It is zero for a server that does not run, and for a file
	// that cannot be read.
	Diagnostic config.Diagnostic
}

// OfServer reports whether the problem is with a server at run time and not with the file.
func (p Problem) OfServer() bool { return p.Place == "" && p.At.Server != "" }

// onCards reports whether the cards of a toolbox say all problems that there are.
func (v View) onCards(toolbox Toolbox) bool {
	return !slices.ContainsFunc(v.Problems, func(problem Problem) bool {
		server := v.server(problem.At)
		return server == nil || problem.At.Toolbox != toolbox.Name || !server.says(problem)
	})
}

// says reports whether the card of the server says a problem of the server.
func (s Server) says(problem Problem) bool {
	return problem.OfServer() || s.lacks() && runtimes.Missing(problem.Diagnostic) ||
		strings.Contains(s.Detail, problem.Message)
}

// problems returns all problems: those of the file, and those of servers. A server that a problem of the file names is
// left out, unless the server itself is in a worse state, or a change waits for approval. If the server does not run
// because its program is missing, and the file's problem says that too, they are one problem in the worse state. The
// problems are sorted by weight.
func problems(now *model.Snapshot, view View) []Problem {
	found := fileProblems(now, view.Path)
	if lost, waiting := now.Approval.State.Lost, now.Approval.Waiting; lost != nil && len(waiting) > 0 {
		found = append(found, Problem{
			Where: lang.L("The approvals cannot be read"), Place: view.Path, Message: kit.Sentence(kit.SayError(lost)),
			Hint: lang.L("All servers wait until you have approved them once more."), State: theme.StateNotice,
			Fix: live.HelpReview.Words(), At: model.Choice{Toolbox: waiting[0].Toolbox, Server: waiting[0].Server.Name},
		})
	}
	told := map[model.Choice]int{} // the least weight of a problem of the file
	for _, problem := range found {
		if least, ok := told[problem.At]; !ok || weight(problem.State) < least {
			told[problem.At] = weight(problem.State)
		}
	}
	for _, toolbox := range view.Toolboxes {
		for _, server := range toolbox.Servers {
			at := model.Choice{Toolbox: toolbox.Name, Server: server.Name}
			if !server.Changed {
				if server.State != theme.StateWrong && server.State != theme.StateKey && server.Waiting == 0 {
					continue
				}
				if least, ok := told[at]; ok && server.Waiting == 0 && least <= weight(server.State) {
					continue
				}
				missing := slices.IndexFunc(found, func(p Problem) bool { return p.At == at && runtimes.Missing(p.Diagnostic) })
				if missing >= 0 && server.Help == live.HelpCommand {
					found[missing].State = server.State
					continue
				}
			}
			message := server.Detail
			if message == "" {
				message = server.Word
			}
			found = append(found, Problem{
				Where: kit.Way(toolbox.Name, server.Name), Message: message, State: server.State, At: at,
			})
		}
	}
	slices.SortStableFunc(found, byWeight)
	return found
}

func byWeight(a, b Problem) int { return weight(a.State) - weight(b.State) }

// weight returns a smaller number for a more severe state.
func weight(state theme.State) int {
	switch state {
	case theme.StateWrong:
		return 0
	case theme.StateKey:
		return 1
	case theme.StateNotice:
		return 2
	}
	return 3
}

// FixWord returns the text of the button that repairs a server, or "" if there is nothing to repair.
func (s Server) FixWord() string {
	get := s.Lack.Label(true)
	switch {
	case get != "":
		return get
	case s.Repair != nil:
		return shortName(kit.Say(s.Repair.Fix.Title))
	}
	return s.Help.Words()
}

func fileProblems(now *model.Snapshot, path string) []Problem {
	if now.File.Now == nil {
		problem := Problem{Where: path, Place: path, State: theme.StateWrong}
		if now.File.Problem != nil {
			problem.Message = kit.Sentence(kit.SayError(now.File.Problem))
		}
		return []Problem{problem}
	}
	diagnostics := now.File.Now.Diagnostics
	if len(now.Warnings) > 0 && now.File.Now.Valid() {
		diagnostics = slices.Concat(diagnostics, now.Warnings)
		config.SortDiagnostics(diagnostics)
	}
	if len(diagnostics) == 0 {
		return nil
	}
	places := newPlaces(now.File.Now.Config)
	found := make([]Problem, 0, len(diagnostics))
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == config.SeverityInfo { // an offer: it is made on the page of the server
			continue
		}
		problem := Problem{
			Place:      place(path, diagnostic),
			Message:    kit.Sentence(kit.Say(diagnostic.Message)),
			Hint:       kit.Hint(diagnostic.Message, kit.Say(diagnostic.Hint)),
			State:      live.OfDiagnostic(diagnostic),
			Diagnostic: diagnostic,
		}
		if diagnostic.Fix != nil {
			problem.Fix = kit.Say(diagnostic.Fix.Title)
		}
		line := lang.L("Line {{.Line}}", map[string]any{"Line": diagnostic.Line})
		if problem.At, problem.Where, problem.Field = places.find(diagnostic.Path); problem.Where == "" {
			problem.Where = line
		} else {
			problem.Line = line
		}
		found = append(found, problem)
	}
	return found
}

// places maps the paths within the document to toolboxes and servers. A path is looked up as a whole and not split
// into names: a name that is long or looks secret is not in the path in full.
type places map[string]model.Choice

func newPlaces(known *config.Config) places {
	p := places{}
	if known == nil {
		return p
	}
	for _, toolbox := range known.Toolboxes {
		own := strings.TrimSuffix(config.ServerPath(toolbox.Name, "x"), ".mcpServers.x")
		p[own] = model.Choice{Toolbox: toolbox.Name}
		for _, server := range toolbox.Servers {
			p[config.ServerPath(toolbox.Name, server.Name)] = model.Choice{Toolbox: toolbox.Name, Server: server.Name}
		}
	}
	return p
}

// find returns the toolbox or server that a path leads to, a text for the path, and the field of the server, if any.
func (p places) find(path string) (at model.Choice, where, field string) {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		choice, ok := p[path[:end]]
		if !ok {
			continue
		}
		where := choice.Toolbox
		rest := strings.TrimPrefix(path[end:], ".")
		if choice.Server != "" {
			where = kit.Way(where, choice.Server)
			field, _, _ = strings.Cut(strings.ReplaceAll(rest, "[", "."), ".")
			if name := live.Fields()[field]; name != "" {
				if member, ok := strings.CutPrefix(rest[len(field):], "."); ok {
					rest = kit.Way(name, member)
				} else {
					rest = name + rest[len(field):]
				}
			}
		}
		if rest != "" && rest != "mcpServers" {
			where = kit.Way(where, rest)
		}
		return choice, where, field
	}
	return model.Choice{}, path, ""
}

// place returns a position in the file in the form that editors understand.
func place(path string, diagnostic config.Diagnostic) string {
	return filepath.Base(path) + ":" + strconv.Itoa(diagnostic.Line) + ":" + strconv.Itoa(diagnostic.Column)
}

// Repairable reports whether some of the file's problems have a fix that can be applied without asking.
func (v View) Repairable() bool {
	for _, problem := range v.Problems {
		if fix := problem.Diagnostic.Fix; fix != nil && !fix.Alone {
			return true
		}
	}
	return false
}

// onePerServer returns the problems with only the first of each server, since that comes first: what else there is appears
// when it is solved. So the number of problems is that of the servers that need something.
func onePerServer(problems []Problem) []Problem {
	var all []Problem
	first := map[model.Choice]int{}
	for _, problem := range problems {
		at, known := first[problem.At]
		switch ofEntry := problem.OfServer() || problem.Diagnostic.Code != ""; {
		case problem.At.Server == "" || !ofEntry: // it only leads there
			all = append(all, problem)
			continue
		case !known:
			first[problem.At] = len(all)
			all = append(all, problem)
			continue
		}
		all[at].Field = cmp.Or(all[at].Field, problem.Field)
	}
	return all
}

// countOf returns the number of problems of a toolbox, without notes.
func (v View) countOf(toolbox string) int {
	count := 0
	for _, problem := range v.Problems {
		if problem.At.Toolbox == toolbox && problem.State != theme.StateIdle {
			count++
		}
	}
	return count
}

// Count returns the number of problems without notes. All places that show a number of problems use it.
func (v View) Count() int {
	count := 0
	for _, problem := range v.Problems {
		if problem.State != theme.StateIdle {
			count++
		}
	}
	return count
}

// ProblemCount returns a text with the number of problems.
func ProblemCount(view View) string {
	count := view.Count()
	return lang.N("{{.Count}} problems", count, map[string]any{"Count": count})
}

// WithComputer adds the problems of the computer that the doctor has found. It leaves out what the View has already:
// problems of the configuration, and missing programs if the View names one.
func (v View) WithComputer(checks []doctor.Check) View {
	all := slices.Clone(v.Problems) // The slice is shared with other Views.
	missing := slices.ContainsFunc(all, func(p Problem) bool { return p.Diagnostic.Code == "program-not-found" })
	for _, check := range checks {
		if check.State != doctor.Wrong || check.ID == "config" || check.Group == doctor.Programs && missing {
			continue
		}
		all = append(all, Problem{
			Where: kit.Say(check.Title), Message: check.Describe(kit.Words()), Hint: kit.Say(check.Advice),
			State: theme.StateWrong, Computer: true,
		})
	}
	slices.SortStableFunc(all, byWeight)
	v.Problems = all
	return v
}
