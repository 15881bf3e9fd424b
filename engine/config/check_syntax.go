package config

// CheckSyntax tells whether a text can be read at all, as JSON with comments and trailing commas: it
// returns the first syntax error, or nil. Start is where the text begins after a byte order mark. It
// says what [Parse] would say of the same text, but makes no tree and looks at no meaning, so that
// it can be asked often.
func CheckSyntax(source []byte) (start int, problem *Diagnostic) {
	d := diagnoser{source: source}
	if body, ok := d.text(); ok {
		if p := scanSyntax(body); p != nil {
			d.say(SeverityError, d.shift+p.start, d.shift+p.end, p.at, p.message, p.hint)
		}
	}
	for _, found := range d.finish() {
		if found.Severity == SeverityError {
			return d.shift, &found
		}
	}
	return d.shift, nil
}
