package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
)

// Problem is something that is wrong with the file, with a server or with this computer, as data. It does not change.
type Problem struct {
	Kind   ProblemKind
	Weight Weight

	At     Choice // the toolbox or server with the problem; zero if that is unknown
	Field  string // the field of the server, such as "command"; empty if the problem is not about one
	Inside string // the path of the place in the toolbox or server, or in the file if At is zero; may be empty

	Diagnostic config.Diagnostic // of [OfFile]
	Err        error             // of [FileUnread] and [ApprovalsLost]; nil if the reason is not known
	Check      doctor.Check      // of [OfComputer]

	Here  bool  // it is a problem of the file on this computer; on another one, all may be well
	Offer Offer // what its button does
}

// ProblemKind is what a problem is about, and so which of its fields are set.
type ProblemKind int

// The kinds.
const (
	OfFile        ProblemKind = iota // of the text of the file: a mistake, or something doubtful
	FileUnread                       // the file could not be read
	ApprovalsLost                    // what the user has approved could not be read, so servers wait
	OfServer                         // the server At does not run as it should, or waits for the user
	OfComputer                       // found by the doctor
)

// Offer is what the button of a problem does.
type Offer int

// The offers.
const (
	NoOffer     Offer = iota
	OfferFix          // apply the fix of the diagnostic
	OfferHelp         // do what helps the server, as its card does
	OfferReview       // look at the servers that wait for approval
)

// NoProgram reports whether the problem is that the program of a server was not found.
func (p *Problem) NoProgram() bool { return p.Kind == OfFile && NoProgram(p.Diagnostic) }

// weightOf returns how much a diagnostic of the file matters.
func weightOf(d config.Diagnostic) Weight {
	switch {
	case d.IsNote():
		return Remark
	case d.Severity == config.SeverityError:
		return Wrong
	}
	return Doubt
}

// fileProblems returns the problems of the file.
func fileProblems(now *Snapshot) []*Problem {
	if now.File.Now == nil {
		return []*Problem{{Kind: FileUnread, Weight: Wrong, Err: now.File.Problem}}
	}
	if len(now.File.Now.Diagnostics)+len(now.Warnings) == 0 {
		return nil
	}
	places := newPlaces(now.File.Now.Config)
	var found []*Problem
	add := func(diagnostics []config.Diagnostic, here bool) {
		for _, diagnostic := range diagnostics {
			if diagnostic.Severity == config.SeverityInfo { // an offer: it is made on the page of the server
				continue
			}
			problem := &Problem{Weight: weightOf(diagnostic), Diagnostic: diagnostic, Here: here}
			problem.At, problem.Inside, problem.Field = places.find(diagnostic.Path)
			if diagnostic.Fix != nil {
				problem.Offer = OfferFix
			}
			found = append(found, problem)
		}
	}
	add(now.File.Now.Diagnostics, false)
	if len(now.Warnings) > 0 && now.File.Now.Valid() {
		add(now.Warnings, true)
		slices.SortStableFunc(found, func(a, b *Problem) int {
			return cmp.Or(cmp.Compare(a.Diagnostic.Start, b.Diagnostic.Start),
				cmp.Compare(a.Diagnostic.Severity, b.Diagnostic.Severity))
		})
	}
	return found
}

// places maps the paths within the document to toolboxes and servers. A path is looked up as a whole and not split
// into names: a name that is long or looks secret is not in the path in full.
type places map[string]Choice

func newPlaces(known *config.Config) places {
	p := places{}
	if known == nil {
		return p
	}
	for _, toolbox := range known.Toolboxes {
		own := strings.TrimSuffix(config.ServerPath(toolbox.Name, "x"), ".mcpServers.x")
		p[own] = Choice{Toolbox: toolbox.Name}
		for _, server := range toolbox.Servers {
			p[config.ServerPath(toolbox.Name, server.Name)] = Choice{Toolbox: toolbox.Name, Server: server.Name}
		}
	}
	return p
}

// find returns the toolbox or server that a path leads to, the rest of the path, and the field of the server, if any.
func (p places) find(path string) (at Choice, inside, field string) {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		choice, ok := p[path[:end]]
		if !ok {
			continue
		}
		inside := strings.TrimPrefix(path[end:], ".")
		if choice.Server != "" {
			field, _, _ = strings.Cut(strings.ReplaceAll(inside, "[", "."), ".")
		}
		return choice, inside, field
	}
	return Choice{}, path, ""
}
