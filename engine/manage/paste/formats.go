package paste

import (
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// whatIsWrong is the first syntax error of broken JSON, with its line.
func whatIsWrong(text string) words.Text {
	_, d := config.CheckSyntax([]byte(text))
	if d == nil {
		return words.New("paste.mistake")
	}
	return words.New("paste.mistake_at", "Line", d.Line, "Why", d.Message)
}

var tomlTable = lazyregexp.New(`(?m)^\s*\[\[?\s*["']?[A-Za-z0-9_-]+["']?(?:\s*\.\s*(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_<>-]+))*\s*\]\]?\s*(?:#.*)?$`)

// maxTOML is how many bytes of TOML are looked at.
const maxTOML = 256 << 10

// toml recognises the configuration of Codex.
func (p *parser) toml(text string) bool {
	if len(text) > maxTOML || !tomlTable.MatchString(text) {
		return false
	}
	data, err := FromTOML([]byte(text))
	if err != nil { // there may be a sentence before it
		data, err = FromTOML([]byte(text[tomlTable.FindStringIndex(text)[0]:]))
	}
	if err != nil {
		straight, again := FromTOML([]byte(straighten(text)))
		if again != nil {
			p.refuse(words.New("paste.toml_unreadable", "Why", tomlProblem(err)), words.New("paste.hint_toml"))
			return false
		}
		data = straight
	}
	n, ok := parseJSON(string(data))
	if !ok || !p.servers(n) {
		return false
	}
	p.kind = words.New("paste.kind_configuration", "App", "Codex")
	return true
}

func tomlProblem(err error) words.Text {
	message := strings.TrimPrefix(err.Error(), "toml: ")
	line, _, _ := strings.Cut(message, "\n")
	return shown(line)
}

var (
	yamlServers = lazyregexp.New(`(?m)^\s*(?:mcpServers|mcp_servers|extensions|servers|mcp)\s*:\s*(?:#.*)?$`)
	yamlBare    = lazyregexp.New(`^(?:command|cmd)[ \t]*:[ \t]*[^\s{\[]`)
	yamlEntry   = lazyregexp.New(`(?m)^\s*(?:- )?(?:cmd|command|url|uri)\s*:\s*\S`)

	// yamlReference matches anchors and aliases, with which a small text can say a great deal.
	yamlReference = lazyregexp.New(`(?m)(?:^|[\s:,\[-])[&*][A-Za-z0-9_]`)
)

// maxYAML is how many bytes of YAML are looked at, and maxYAMLBrackets how many brackets: reading nested ones takes time
// that grows with the square of their number.
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
		// The text may be anything, and its reader has not been made for that.
		if recover() != nil {
			ok = false
		}
	}()
	data, err := yaml.YAMLToJSON([]byte(strings.ReplaceAll(text, "\t", "  ")))
	if err != nil {
		p.refuse(words.New("paste.yaml_unreadable"), words.New("paste.hint_yaml"))
		return false
	}
	n, ok := parseJSON(string(data))
	return ok && p.servers(n)
}
