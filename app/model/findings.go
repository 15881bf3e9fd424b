package model

import (
	"cmp"
	"maps"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Findings are what is wrong with the file, its servers and this computer, and what can be done about it. They do not
// change. [FindingsOf] returns those of a snapshot, to which [Findings.With] adds what is known of this computer.
type Findings struct {
	Problems []*Problem // sorted: those that matter most come first
	Broken   bool       // the file cannot be used at present

	servers map[Choice]*Finding
	order   []Choice // the servers, in the order of the file
}

// Finding is how a server of the file is doing, and what can be done about it.
type Finding struct {
	Server
	At Choice

	// Doubt is a problem of the file that may keep the server from starting, or from working as expected. It is nil if
	// there is none, if the server was started, or if its condition says something else.
	Doubt *config.Diagnostic

	Repair *config.Diagnostic // a problem of the file whose fix helps a server that does not run; may be nil
	Lack   Lack               // what the server needs and this computer does not have; see [Findings.With]
	needs  string             // the ID of the product whose program was not found, or empty
}

// FindingsOf returns what is wrong in a snapshot. It can be called on any goroutine.
func FindingsOf(now *Snapshot) *Findings {
	f := &Findings{Broken: now.Broken(), servers: map[Choice]*Finding{}}
	if now.Good != nil {
		for _, toolbox := range now.Good.Config.Toolboxes {
			for _, entry := range toolbox.Servers {
				at := Choice{Toolbox: toolbox.Name, Server: entry.Name}
				server := now.Server(at)
				server.Changed = server.Changed && !entry.Disabled
				found := &Finding{Server: server, At: at}
				if !server.Changed {
					found.needs = Needs(server.Problem, "", nil)
				}
				f.servers[at], f.order = found, append(f.order, at)
			}
		}
	}
	f.Problems = fileProblems(now)
	if lost, waiting := now.Approval.State.Lost, now.Approval.Waiting; lost != nil && len(waiting) > 0 {
		f.Problems = append(f.Problems, &Problem{Kind: ApprovalsLost, Weight: Doubt, Err: lost, Offer: OfferReview,
			At: Choice{Toolbox: waiting[0].Toolbox, Server: waiting[0].Server.Name}})
	}
	f.addServers()
	slices.SortStableFunc(f.Problems, byWeight)
	f.judge(now)
	if !f.Broken {
		f.Problems = onePerServer(f.Problems)
	}
	return f
}

func byWeight(a, b *Problem) int { return cmp.Compare(a.Weight, b.Weight) }

// addServers adds the problems of servers. A server that a problem of the file names is left out, unless the server
// itself is in a worse condition, or a change waits for approval. If the server does not run because its program is
// missing, and the file's problem says that too, they are one problem with the weight of the worse one.
func (f *Findings) addServers() {
	told := map[Choice]Weight{} // the least weight of a problem of the file
	for _, problem := range f.Problems {
		if least, ok := told[problem.At]; !ok || problem.Weight < least {
			told[problem.At] = problem.Weight
		}
	}
	for _, at := range f.order {
		server := f.servers[at]
		condition := server.Condition()
		if !condition.asked() {
			continue
		}
		if !server.Changed {
			if least, ok := told[at]; ok && server.Waiting == 0 && least <= condition.Weight() {
				continue
			}
			missing := slices.IndexFunc(f.Problems, func(p *Problem) bool { return p.At == at && p.NoProgram() })
			if missing >= 0 && server.Server.Help() == HelpCommand {
				f.Problems[missing].Weight = condition.Weight()
				continue
			}
		}
		f.Problems = append(f.Problems, &Problem{Kind: OfServer, Weight: condition.Weight(), At: at})
	}
}

// judge finds out which problems of the file concern servers that do not run: the problems would keep them from
// starting or working, and a fix helps the server too. Then it finds out which problems are helped as their servers are.
func (f *Findings) judge(now *Snapshot) {
	for _, problem := range f.Problems {
		server := f.servers[problem.At]
		if server == nil || problem.Kind != OfFile || problem.Weight == Remark {
			continue
		}
		if server.Doubt == nil && server.CanDoubt() {
			server.Doubt = &problem.Diagnostic
		}
		// A changed server waits for approval; a repair would not start it.
		if server.State == status.Connected || server.State == status.Starting || server.Changed {
			continue
		}
		if problem.Offer == OfferFix && server.Repair == nil {
			server.Repair = &problem.Diagnostic
		}
		if problem.NoProgram() && server.Condition() != ConditionOff {
			server.needs = Needs(nil, now.Entry(problem.At).Command, []config.Diagnostic{problem.Diagnostic})
		}
	}
	for _, problem := range f.Problems {
		server := f.servers[problem.At]
		if server != nil && (problem.Kind == OfServer ||
			problem.NoProgram() && problem.Offer == NoOffer && server.Help() == HelpCommand) {
			problem.Offer = OfferHelp
		}
	}
}

// CanDoubt reports whether a problem of the file is what matters most about the server: it was not started, and no
// pause or unknown engine says more.
func (s Server) CanDoubt() bool {
	switch s.Condition() {
	case ConditionIdle, ConditionReady, ConditionHeld:
		return s.State == status.NotStarted
	}
	return false
}

// onePerServer returns the problems with only the first of each server, since that comes first: what else there is appears
// when it is solved. So the number of problems is that of the servers that need something.
func onePerServer(problems []*Problem) []*Problem {
	var all []*Problem
	first := map[Choice]*Problem{}
	for _, problem := range problems {
		known := first[problem.At]
		switch ofEntry := problem.Kind == OfServer || problem.Kind == OfFile; {
		case problem.At.Server == "" || !ofEntry: // it only leads there
			all = append(all, problem)
		case known == nil:
			first[problem.At] = problem
			all = append(all, problem)
		default:
			known.Field = cmp.Or(known.Field, problem.Field)
		}
	}
	return all
}

// With returns the findings with what is known of this computer: the products that Workbench can get, and what the doctor
// has found. It leaves out what the findings have already: problems of the configuration, and missing programs if a
// problem names one.
func (f *Findings) With(known Runtimes, checks []doctor.Check) *Findings {
	with := *f
	with.servers, with.Problems = maps.Clone(f.servers), slices.Clone(f.Problems)
	for _, at := range f.order {
		needs := f.servers[at].needs
		if needs == "" {
			continue
		}
		lack := known.Lacks(needs)
		if lack == (Lack{}) {
			continue
		}
		lacking := *f.servers[at]
		lacking.Lack = lack
		with.servers[at] = &lacking
	}
	for i, problem := range with.Problems {
		server := with.servers[problem.At]
		if server != nil && server.Lack != (Lack{}) && problem.NoProgram() && problem.Offer != OfferHelp {
			helped := *problem
			helped.Offer = OfferHelp
			with.Problems[i] = &helped
		}
	}
	missing := slices.ContainsFunc(f.Problems, (*Problem).NoProgram)
	for _, check := range checks {
		if check.State == doctor.Wrong && check.ID != "config" && (check.Group != doctor.Programs || !missing) {
			with.Problems = append(with.Problems, &Problem{Kind: OfComputer, Weight: Wrong, Check: check})
		}
	}
	slices.SortStableFunc(with.Problems, byWeight)
	return &with
}

// Of returns what was found about a server, or nil if the file does not have it.
func (f *Findings) Of(at Choice) *Finding { return f.servers[at] }

// Help returns what helps with the server.
func (f *Finding) Help() Help {
	if f.Doubt != nil {
		return HelpShow
	}
	return f.Server.Help()
}

// Lacks reports whether the server needs a program that this computer does not have and the user can get.
func (f *Finding) Lacks() bool { return f.Lack != Lack{} }

// Can returns the actions that make sense for the server.
func (f *Finding) Can() Can {
	can := f.Server.Can()
	can.Fix = f.Help() != NoHelp || f.Repair != nil || f.Lacks()
	can.Start = can.Start && f.Lack.Runtime.ID == "" // It would fail again, because the program is missing.
	return can
}

// Doubtful returns the field of a server that has a problem, or "".
func (f *Findings) Doubtful(at Choice) string {
	for _, problem := range f.Problems {
		if problem.At == at && problem.Field != "" {
			return problem.Field
		}
	}
	return ""
}

// Usable returns a server that runs or, if none does, one that can probably be started. It returns the zero Choice if
// there is none.
func (f *Findings) Usable() Choice {
	var first Choice
	for _, at := range f.order {
		server := f.servers[at]
		switch condition := server.Condition(); {
		case server.State == status.Connected:
			return at
		case server.State == status.Disabled, condition.Weight() < Doubt:
		case first == Choice{} && !f.missesHere(at):
			first = at
		}
	}
	return first
}

// missesHere reports whether something that a server needs is missing on this computer, such as its program.
func (f *Findings) missesHere(at Choice) bool {
	return slices.ContainsFunc(f.Problems, func(p *Problem) bool {
		return p.At == at && p.Here && p.Field != "toolFilters" // a tool filter does not keep a server from starting
	})
}

// Repairable reports whether some of the file's problems have a fix that can be applied without asking.
func (f *Findings) Repairable() bool {
	return slices.ContainsFunc(f.Problems, func(p *Problem) bool {
		return p.Kind == OfFile && p.Diagnostic.Fix != nil && !p.Diagnostic.Fix.Alone
	})
}

// Count returns the number of problems without remarks. All places that show a number of problems use it.
func (f *Findings) Count() int {
	count := 0
	for _, problem := range f.Problems {
		if problem.Weight != Remark {
			count++
		}
	}
	return count
}

// CountOf returns the number of problems of a toolbox, without remarks.
func (f *Findings) CountOf(toolbox string) int {
	count := 0
	for _, problem := range f.Problems {
		if problem.At.Toolbox == toolbox && problem.Weight != Remark {
			count++
		}
	}
	return count
}

// Worst returns the weight of the problem that matters most, for places that show a single state for the whole
// configuration.
func (f *Findings) Worst() Weight {
	if len(f.Problems) == 0 {
		return Remark
	}
	return f.Problems[0].Weight
}
