package extension

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// template puts values into the texts of a manifest.
//
// The result goes into our file, where ${NAME} is looked up when the server is started, in the environment and in the keychain. A manifest
// has no say there: whatever of it would be taken for such a reference is written so that it means itself ($${). Only what the user
// answered may refer to something.
type template struct {
	spent int // how much was written
}

// maxSpent is how long an entry may become. A short text can have a long value in many places.
const maxSpent = 256 << 10

var placeholder = lazyregexp.New(`\$\{([^{}$]+)\}`)

const ofUser = "user_config."

// one puts variables into a text. What is not known stays as it is, to be read as it is.
func (t *template) one(text string, variables map[string]string) (string, error) {
	var p pieces
	at := 0
	for _, found := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		if with, ok := variables[text[found[2]:found[3]]]; ok {
			p.add(text[at:found[0]], false)
			p.add(with, false)
			at = found[1]
		}
	}
	p.add(text[at:], false)
	return t.written(p)
}

// fill puts variables and answers into a text. With a setting that has several answers there are several texts; with one that has none,
// there is none.
func (t *template) fill(text string, variables map[string]string, answers map[string][]string) ([]string, error) {
	several := []string{""}
	list := "" // the setting with several answers, of which there is at most one that matters
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		name, ok := strings.CutPrefix(found[1], ofUser)
		if answer, asked := answers[name]; ok && asked {
			if len(answer) == 0 {
				return nil, nil
			}
			if len(answer) > 1 {
				list, several = name, answer
			}
		}
	}
	var texts []string
	for _, each := range several {
		var p pieces
		at := 0
		for _, found := range placeholder.FindAllStringSubmatchIndex(text, -1) {
			name := text[found[2]:found[3]]
			with, ok := variables[name]
			own := false
			if !ok {
				setting, _ := strings.CutPrefix(name, ofUser)
				answer, asked := answers[setting]
				if !asked || setting == name {
					continue
				}
				own = true
				if with = answer[0]; setting == list {
					with = each
				}
			}
			p.add(text[at:found[0]], false)
			p.add(with, own)
			at = found[1]
		}
		p.add(text[at:], false)
		written, err := t.written(p)
		if err != nil {
			return nil, err
		}
		texts = append(texts, written)
	}
	return texts, nil
}

// written makes the text, if the entry does not become too long.
func (t *template) written(p pieces) (string, error) {
	if t.spent += len(p.text); t.spent > maxSpent {
		return "", &Error{words.New("extension.command_too_long"), notTrusted.Text()}
	}
	return p.escaped(), nil
}

// pieces is a text that knows which parts of it are the user's own.
type pieces struct {
	text []byte
	part []int // of each byte: 0, or the number of a part of the user's
	last int
}

func (p *pieces) add(text string, own bool) {
	if len(p.text) > maxSpent {
		return // it will be refused
	}
	part := 0
	if own {
		p.last++
		part = p.last
	}
	p.text = append(p.text, text...)
	for range len(text) {
		p.part = append(p.part, part)
	}
}

// escaped has every "${" that is not the user's written as "$${". One of which only a half is the user's isn't.
func (p *pieces) escaped() string {
	var b strings.Builder
	for i, c := range p.text {
		if c == '$' && i+1 < len(p.text) && p.text[i+1] == '{' && (p.part[i] == 0 || p.part[i] != p.part[i+1]) {
			b.WriteByte('$')
		}
		b.WriteByte(c)
	}
	return b.String()
}
