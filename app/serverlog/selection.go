package serverlog

// selection is the selected lines, by the numbers of the lines at its two ends. Both are -1 if nothing is selected.
type selection struct{ anchor, cursor int }

// nothing returns the empty selection.
func nothing() selection { return selection{-1, -1} }

// ends returns the numbers of the first and the last line.
func (s selection) ends() (from, to int) { return min(s.anchor, s.cursor), max(s.anchor, s.cursor) }

// has reports whether a line is selected.
func (s selection) has(number int) bool {
	from, to := s.ends()
	return s.cursor >= 0 && number >= from && number <= to
}

// several reports whether more than one line is selected.
func (s selection) several() bool { return s.cursor >= 0 && s.anchor != s.cursor }
