package foreign

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/tojson"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// whatIsWrong returns the first syntax error of broken JSON, with its line.
func whatIsWrong(text string) words.Text {
	_, d := config.CheckSyntax([]byte(text))
	if d == nil {
		return words.New("foreign.mistake")
	}
	return words.New("foreign.mistake_at", "Line", d.Line, "Why", d.Message)
}

var tomlTable = lazyregexp.New(`(?m)^\s*\[\[?\s*["']?[A-Za-z0-9_-]+["']?(?:\s*\.\s*(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_<>-]+))*\s*\]\]?\s*(?:#.*)?$`)

// maxTOML is the largest TOML text that is read, in bytes.
const maxTOML = 256 << 10

// toml recognises the configuration of Codex.
func (p *parser) toml(text string) bool {
	if len(text) > maxTOML || !tomlTable.MatchString(text) {
		return false
	}
	data, err := tojson.TOML([]byte(text))
	if err != nil { // there may be a sentence before the TOML
		data, err = tojson.TOML([]byte(text[tomlTable.FindStringIndex(text)[0]:]))
	}
	if err != nil {
		straight, again := tojson.TOML([]byte(straighten(text)))
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
	p.kind = words.New("foreign.kind_configuration", "App", "Codex")
	return true
}

func tomlProblem(err error) words.Text {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return shown(line)
}

var (
	yamlServers = lazyregexp.New(`(?m)^\s*(?:mcpServers|mcp_servers|extensions|servers|mcp)\s*:\s*(?:#.*)?$`)
	yamlBare    = lazyregexp.New(`^(?:command|cmd)[ \t]*:[ \t]*[^\s{\[]`)
	yamlEntry   = lazyregexp.New(`(?m)^\s*(?:- )?(?:cmd|command|url|uri)\s*:\s*\S`)

	// yamlReference matches anchors and aliases, with which a small text can expand to a huge one.
	yamlReference = lazyregexp.New(`(?m)(?:^|[\s:,\[-])[&*][A-Za-z0-9_]`)
)

// maxYAML is the largest YAML text that is read, in bytes. maxYAMLBrackets is the largest number of brackets
// in it: the time to read nested ones grows with the square of their number.
const (
	maxYAML         = 64 << 10
	maxYAMLBrackets = 2000
)

// yaml recognises the configurations of Goose and Continue.
func (p *parser) yaml(text string) (ok bool) {
	if len(text) > maxYAML || strings.Count(text, "[")+strings.Count(text, "{") > maxYAMLBrackets || !yamlEntry.MatchString(text) || !yamlServers.MatchString(text) && !yamlBare.MatchString(text) || yamlReference.MatchString(text) {
		return false
	}
	defer func() {
		// The parser may panic, since it was not made for hostile text.
		if recover() != nil {
			ok = false
		}
	}()
	data, err := tojson.YAML([]byte(strings.ReplaceAll(text, "\t", "  ")))
	if err != nil {
		p.refuse(words.New("foreign.yaml_unreadable"), words.New("foreign.hint_yaml"))
		return false
	}
	n, ok := parseJSON(string(data))
	return ok && p.servers(n)
}
