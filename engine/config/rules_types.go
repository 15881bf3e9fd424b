package config

import (
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var wrongType = Rule{Code: "wrong-type",
	About: "A value has the wrong kind for its field: a number instead of text, text instead of a list, and so on.",
	Entry: `"command": "npx", "args": "-y"`}

// sayWrongType reports a member whose value is not of the kind want, which is a jsonc.Kind or 's' for seconds.
// write says what to write.
func sayWrongType(d *diagnoser, m member, want byte, write words.Code) {
	if m.value.Kind == jsonc.Invalid {
		return // already reported
	}
	problem := d.sayAt(wrongType, m.value.Span, m.at, mustBe(quoted(m.key), want, m.value), write.Text())
	if problem == nil || d.noFixes() {
		return
	}
	v := m.value
	switch is := v.Kind; {
	case is == 'n' && m.object != nil:
		d.offer(problem, words.New("config.fix.remove_named", "Name", quoted(m.key)),
			d.src.removeMember(m.object, m.index)...)
	case want == '"':
		offerQuotes(d, problem, v)
	case is != '"':
	case want == '[' && (m.key == "toolFilters" || m.key == "apps" || m.key == "folders"):
		d.offer(problem, words.New("config.fix.make_list"), enclose(v, "[", "]")...)
	case want == '[':
		d.offer(problem, words.New("config.fix.make_list"), splitText(d, v, "[", "]")...)
	case (want == '0' || want == 's') && json.Valid([]byte(v.Str())):
		d.offer(problem, words.New("config.fix.remove_quotes"), unquote(v)...)
	case want == 't':
		if value := strings.ToLower(v.Str()); value == "true" || value == "false" {
			d.offer(problem, fixWrite(value), replaceValue(v, value))
		}
	}
}

// sayNotString reports an argument or a variable that is no string. People often write a number.
func sayNotString(d *diagnoser, m member, what words.Text) {
	var hint words.Text
	switch m.value.Kind {
	case jsonc.Invalid: // already reported
		return
	case '0', 't', 'f':
		hint = words.New("config.put_in_quotes")
		if literal := m.value.Raw(); len(literal) <= len("65535") && !secret.Key(m.key) && m.key != "" {
			hint = words.New("config.put_in_quotes_as", "Text", quote(literal))
		}
	case 'n':
		hint = words.New("config.write_empty")
	default:
		hint = words.New("config.write_one_text")
	}
	problem := d.sayAt(wrongType, m.value.Span, m.at, mustBe(what, '"', m.value), hint)
	offerQuotes(d, problem, m.value)
}

// sayWrongElement reports an element of a list of names that is no string. what says what the element must name.
func sayWrongElement(d *diagnoser, m member, what words.Code) {
	if m.value.Kind == jsonc.Invalid {
		return
	}
	problem := d.sayAt(wrongType, m.value.Span, m.at, mustBe(what.Text(), '"', m.value),
		words.New("config.put_in_quotes"))
	offerQuotes(d, problem, m.value)
}

// offerQuotes proposes to turn a number, true or false into a string.
func offerQuotes(d *diagnoser, problem *Diagnostic, v *node) {
	switch v.Kind {
	case '0', 't', 'f':
		d.offer(problem, fixQuotes(), enclose(v, `"`, `"`)...)
	}
}

// mustBe returns a sentence that says what a value must be and what it is.
func mustBe(what words.Text, want byte, v *node) words.Text {
	if v.Kind == 'n' {
		return words.New("config.wrong_type_nothing", "What", what, "Want", KindName(want))
	}
	return words.New("config.wrong_type", "What", what, "Want", KindName(want), "Kind", kindName(v))
}

// KindName returns the name of a kind of value, for people who do not know JSON and look at the file. kind is
// a [jsonc.Kind] or 's' for seconds.
func KindName(kind byte) words.Text {
	known := map[byte]words.Code{
		'{': "config.kind_group", '[': "config.kind_list", '"': "config.kind_text", '0': "config.kind_number",
		's': "config.kind_seconds",
		't': "config.kind_switch", 'f': "config.kind_switch",
	}
	if code, ok := known[kind]; ok {
		return code.Text()
	}
	return words.New("config.kind_nothing")
}

// kindName is [KindName] for a value. True and false are named themselves.
func kindName(v *node) words.Text {
	if v.Kind == jsonc.True || v.Kind == jsonc.False {
		return words.Foreign(v.Raw())
	}
	return KindName(byte(v.Kind))
}

// fixWrite returns the title of a fix that writes a text.
func fixWrite(what string) words.Text { return words.New("config.fix.write", "Text", what) }

func fixQuotes() words.Text { return words.New("config.fix.quotes") }

// didYouMean returns a hint for something that is probably misspelt.
func didYouMean(what string) words.Text {
	return words.New("config.did_you_mean", "Name", quoted(what))
}

var groupAsSwitch = Rule{Code: "group-as-switch", Severity: SeverityWarning,
	About: "Some clients switch signing in on and off with true and false. Workbench signs in when a server asks for it.",
	Entry: `"url": "https://example.com/mcp", "oauth": true`}

var negativeTime = Rule{Code: "negative-time",
	About: "A time limit is less than zero.",
	Entry: `"command": "npx", "callTimeout": -1`}

var timeTooLong = Rule{Code: "time-too-long",
	About: "A time limit is longer than a year. It is in seconds, not in milliseconds.",
	Entry: `"command": "npx", "callTimeout": 60000000`}

var numberOutOfRange = Rule{Code: "number-out-of-range",
	About: "A number is too small, too large, or not a whole one.",
	Entry: `"url": "https://example.com/mcp", "oauth": {"callbackPort": 80800}`}
