package extension

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// template puts values into the texts of a manifest.
//
// The result goes into our file, where ${NAME} is looked up in the environment and the keychain when the
// server is started. A manifest must not cause such a lookup, so its "${" is written as "$${", which means
// the text itself. Only the answers of the user may contain references.
type template struct {
	spent int // bytes written so far
}

// maxSpent limits an entry, in bytes. A short text can have a long value in many places.
const maxSpent = 256 << 10

var placeholder = lazyregexp.New(`\$\{([^{}$]+)\}`)

const ofUser = "user_config."

// one replaces variables in a text. Unknown variables stay as text.
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

// fill replaces variables and settings in a text. It returns several texts if a setting has several answers,
// and none if a setting has no answer.
func (t *template) fill(text string, variables map[string]string, answers map[string][]string) ([]string, error) {
	several := []string{""}
	list := "" // the setting with several answers; at most one in a text is expanded
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

// written returns the text of p. It fails if the entry becomes too long.
func (t *template) written(p pieces) (string, error) {
	if t.spent += len(p.text); t.spent > maxSpent {
		return "", &Error{words.New("extension.command_too_long"), notTrusted.Text()}
	}
	return p.escaped(), nil
}

// pieces is a text that records which of its parts come from the user.
type pieces struct {
	text []byte
	part []int // for each byte: 0, or the number of the user's part
	last int
}

func (p *pieces) add(text string, own bool) {
	if len(p.text) > maxSpent {
		return // the text is too long and will be refused
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

// escaped returns the text with each "${" written as "$${", unless both characters come from the same part of
// the user.
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
