package config

import (
	"slices"
)

// maxRepairs is how many syntax errors are passed over to see what else there is.
const maxRepairs = 50

// syntax reports syntax errors. Where the rest can be understood all the same, it returns a text that
// has none; whole tells whether that is the text itself.
//
// A repair is mostly also the fix that is offered. Whether it is a good one shows at once: the
// scanner must get past it.
func (d *diagnoser) syntax(body []byte) (text []byte, whole, ok bool) {
	s := scanner{text: body, source: body}
	if len(body) <= maxSearched {
		s.budget = searchBudget
	}
	var last *Fix // that of the last repair
	var past int  // where the scanner must get
	defer func() {
		// Only now, for syntax errors are all certain.
		d.repaired = s.edits
	}()
	for repairs := 0; ; repairs++ {
		problem := s.next()
		if problem != nil {
			s.search(problem)
		}
		if last != nil && problem != nil && problem.start < past {
			d.retract(last)
		}
		if problem == nil {
			return s.text, repairs == 0, true
		}
		d.syntaxErrors++
		said := d.say(SeverityError, d.shift+s.original(problem.start), d.shift+s.original(problem.end), problem.at, problem.message, problem.hint)
		if len(problem.repair) == 0 || repairs == maxRepairs {
			d.unread = len(s.text) - problem.start + 1
			return nil, false, false
		}
		sortChanges(problem.repair)
		last = nil
		if said != nil && problem.title != "" {
			if changes, ok := s.inSource(problem.repair, d.shift); ok {
				last = &Fix{problem.title, changes}
				said.Fix = last
			}
		}
		for _, c := range problem.repair {
			d.around = append(d.around, Change{Start: d.shift + s.original(c.Start), End: d.shift + s.original(c.End)})
		}
		past = s.apply(problem.repair)
		if problem.again {
			past = 0
		}
	}
}

func (d *diagnoser) retract(fix *Fix) {
	for i := range d.found {
		if d.found[i].Fix == fix {
			d.found[i].Fix = nil
		}
	}
}

// apply makes changes to the text and goes back to before them. It returns where they end.
func (s *scanner) apply(changes []Change) (end int) {
	text, err := ApplyChanges(s.text, changes)
	if err != nil {
		return 0
	}
	s.text = text
	grown := 0
	for _, c := range changes {
		s.edits = append(s.edits, Change{c.Start + grown, c.End + grown, c.New})
		grown += len(c.New) - (c.End - c.Start)
		end = c.End + grown
	}
	if changes[0].Start < s.last {
		*s = scanner{text: s.text, source: s.source, edits: s.edits, trial: s.trial, trials: s.trials, budget: s.budget}
	}
	s.at = s.last
	return end
}

// maxTrials is how often the whole text is scanned to try a repair that goes back in it.
const maxTrials = 20

// leadsToEnd tells whether nothing else is wrong with the text once some changes are made.
func (s *scanner) leadsToEnd(changes ...Change) bool {
	if changes[0].Start < s.last {
		if s.trial || s.trials == maxTrials {
			return false
		}
		s.trials++
	}
	trial := *s
	trial.stack = slices.Clone(s.stack)
	trial.edits = slices.Clip(s.edits)
	trial.trial = true
	trial.apply(changes)
	return trial.next() == nil
}

// original returns the place in the source of a place in the text, which may have been repaired.
func (s *scanner) original(at int) int { return originalPlace(s.edits, at) }

func originalPlace(edits []Change, at int) int {
	for _, e := range slices.Backward(edits) {
		switch {
		case at <= e.Start:
		case at < e.Start+len(e.New):
			at = min(at, e.End)
		default:
			at += (e.End - e.Start) - len(e.New)
		}
	}
	return at
}

// inSource returns changes of the text as changes of the source, unless they touch what has been
// repaired already.
func (s *scanner) inSource(changes []Change, shift int) ([]Change, bool) {
	out := make([]Change, len(changes))
	for i, c := range changes {
		for _, e := range s.edits {
			if e.Start <= c.End && c.Start <= e.Start+len(e.New) {
				return nil, false
			}
		}
		out[i] = Change{shift + s.original(c.Start), shift + s.original(c.End), c.New}
	}
	return out, true
}
