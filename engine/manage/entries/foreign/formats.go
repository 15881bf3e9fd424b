package foreign

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/tojson"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// whatIsWrong returns the first syntax error of broken JSON, with its line.
func whatIsWrong(text string) words.Text {
	if wrong := jsonc.Parse([]byte(text)).Broken(); wrong != nil && wrong.Code == jsonc.TooManyValues {
		return words.New("foreign.too_many_values")
	}
	_, d := config.CheckSyntax([]byte(text))
	if d == nil {
		return words.New("foreign.mistake")
	}
	return words.New("foreign.mistake_at", "Line", d.Line, "Why", d.Message)
}

var tomlTable = lazyregexp.New(
	`(?m)^\s*\[\[?\s*["']?[A-Za-z0-9_-]+["']?(?:\s*\.\s*(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_<>-]+))*\s*\]\]?\s*(?:#.*)?$`)

// toml recognises the configuration of Codex.
func (p *parser) toml(text string) bool {
	if !tomlTable.MatchString(text) {
		return false
	}
	data, err := tojson.TOML([]byte(text))
	if err != nil { // there may be a sentence before the TOML
		data, err = tojson.TOML([]byte(text[tomlTable.FindStringIndex(text)[0]:]))
	}
	if err != nil {
		straight, again := tojson.TOML([]byte(straighten(text)))
		if paths := doubled(text); again != nil && paths != text {
			if straight, again = tojson.TOML([]byte(paths)); again == nil {
				p.say(words.New("foreign.repaired", "What", words.New("config.fix.backslashes")))
			}
		}
		if again != nil {
			p.refuse(words.New("foreign.toml_unreadable", "Why", tomlProblem(err)), words.New("foreign.hint_toml"))
			return false
		}
		data = straight
	}
	n, ok := parseJSON(string(data))
	if !ok || !p.servers(n) {
		return false
	}
	return true
}

// doubled doubles the backslashes of Windows paths in quotes, in which TOML would take them for escapes.
func doubled(text string) string {
	return pathInQuotes.ReplaceAllStringFunc(text, func(path string) string {
		return strings.ReplaceAll(path, `\`, `\\`)
	})
}

// pathInQuotes matches "C:\Users" and the like with single backslashes.
var pathInQuotes = lazyregexp.New(`"[A-Za-z]:(?:\\[^\\"\n]+)+\\?"`)

func tomlProblem(err error) words.Text {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return shown(line)
}

var (
	// yamlServers matches the key that has the servers in YAML, yamlBare the beginning of an entry alone, and
	// yamlEntry a member that every entry has.
	yamlServers = lazyregexp.New(
		`(?mi)^[ \t]*(?:- )?["']?(?:mcp[_-]?servers?|amp\.mcpServers|extensions|servers|mcp|context_servers|modelContextProtocolServers?|tools|toolsets|registry|toolboxes|transport)["']?[ \t]*:`)
	documentStart = lazyregexp.New(`(?m)^---(?:[ \t].*)?$`)

	yamlBare  = lazyregexp.New(`^(?:command|cmd)[ \t]*:[ \t]*[^\s{\[]`)
	yamlEntry = lazyregexp.New(`(?mi)(?:^|[\s{,-])["']?(?:cmd|command|endpoint|uri|(?:[a-z]+[_-]?)*url)["']?[ \t]*:[ \t\n]*\S`)
)

// yaml recognises the configurations of Goose, Continue and others.
func (p *parser) yaml(text string) bool {
	usual := yamlServers.MatchString(text) || yamlBare.MatchString(text)
	if !yamlEntry.MatchString(text) || !usual && !ofMCP(text) {
		return false
	}
	if before, rest, reason := len(p.entries), len(p.rest), p.reason; !usual { // it may be no YAML at all
		defer func() {
			if len(p.entries) == before {
				p.rest, p.reason = p.rest[:rest], reason
			}
		}()
	}
	text = strings.ReplaceAll(text, "\t", "  ")
	if starts := documentStart.FindAllStringIndex(text, maxObjects); len(starts) > 0 {
		found := p.yaml(text[:starts[0][0]])
		for i, at := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			found = p.yaml(text[at[1]:end]) || found
		}
		return found
	}
	data, problem := fromYAML([]byte(text))
	if !problem.IsZero() { // there may be sentences around the YAML
		if block := yamlBlock(text); block != "" {
			data, _ = fromYAML([]byte(block))
		}
	}
	if n, ok := parseJSON(string(data)); ok && n != nil && p.servers(n) {
		return true
	}
	switch problem.Code {
	case "":
	case "foreign.too_many_brackets":
		p.refuse(problem, words.New("foreign.hint_only_server"))
	default:
		p.refuse(words.New("foreign.yaml_unreadable"), words.New("foreign.hint_yaml"))
	}
	return false
}

// yamlBlock returns the lines of the key that has the servers: the first such line, and those below it that are
// indented further or begin a list.
func yamlBlock(text string) string {
	at := yamlServers.FindStringIndex(text)
	if at == nil {
		return ""
	}
	var block strings.Builder
	depth := -1
	for line := range strings.Lines(text[at[0]:]) {
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		switch {
		case depth < 0:
			depth = indent
		case strings.TrimSpace(trimmed) == "" || indent > depth || indent == depth && strings.HasPrefix(trimmed, "- "):
		default:
			return block.String()
		}
		block.WriteString(line)
	}
	return block.String()
}
