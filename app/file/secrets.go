package file

// secrets knows which parts of the text are secret, and hides them in the code.
type secrets struct {
	clear    bool    // they are visible
	known    known   // those that the file has or had
	scan     *scan   // those of the text that was scanned last
	scanning bool    // a text is scanned in the background
	masking  masking // the masks of the text in the code
}

// maxScanned is the largest text in bytes that is searched for secrets while the user waits.
const maxScanned = 32 << 10

// quick reports whether the secrets of a text are known already, or are found while the user waits.
func (s *secrets) quick(text string) bool {
	return len(text) <= maxScanned || s.scan != nil && s.scan.text == text
}

// scanned returns the secrets of a text.
func (s *secrets) scanned(text string) *scan {
	if s.scan == nil || s.scan.text != text {
		s.scan = newScan(text)
	}
	return s.scan
}

// learn adds the secrets of a version of the file to those that are known.
func (s *secrets) learn(text string) { s.known.take(s.scanned(text)) }

// hide returns a text as it is shown. While something is typed, only known secrets are hidden, and not what the user
// is typing.
func (s *secrets) hide(text string, typing bool) (shown string) {
	s.masking = masking{}
	if s.clear {
		return text
	}
	shown, s.masking = s.known.maskScanned(s.scanned(text), typing)
	return shown
}
