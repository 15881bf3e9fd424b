package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// agent says how one AI coding agent is installed, and how it is run against a model at an address.
type agent struct {
	id           string // of the agent here
	client       string // its name in workbench-desktop connect
	name         string
	pkg, version string // of npm
	also         string // another package that it needs, with its version
	bin          string // below node_modules/.bin
	file         string // its configuration file, relative to the home folder
	// files are written before connect, by path relative to the home folder. %[1]s is the address of the
	// model, %[2]s the folder in which it works.
	files map[string]string
	// web is the file with an entry for the address URL and the token TOKEN; "" if that was never tried.
	web string
	// before are commands of the agent that are run first.
	before [][]string
	args   []string // %[1]s and %[2]s as in files, %[3]s the home folder
	env    []string
	// line is the form in which it reads a question from standard input, as one line of JSON with %s for the
	// text, if it accepts several questions one after the other. It is then asked a second question at the
	// end.
	line string
}

const question = "Use the toolbox dev."

func agents() []agent {
	claude := agent{
		id: "claude-code", client: "claude-code", name: "Claude Code", pkg: "@anthropic-ai/claude-code", version: "2.1.332",
		bin:  "claude",
		file: ".claude.json",
		web:  `{"mcpServers": {"workbench": {"type": "http", "url": "URL", "headers": {"Authorization": "Bearer TOKEN"}}}}`,
		args: []string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
			"--allowedTools", "mcp__workbench"},
		line: `{"type":"user","message":{"role":"user","content":%q}}`,
		env: []string{
			"ANTHROPIC_BASE_URL=%[1]s", "ANTHROPIC_API_KEY=x", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			"DISABLE_AUTOUPDATER=1", "ENABLE_TOOL_SEARCH=false",
		},
	}
	searching := claude
	searching.id, searching.name = "claude-code-search", "Claude Code, tool search"
	searching.env = append(append([]string{}, claude.env[:len(claude.env)-1]...), "ENABLE_TOOL_SEARCH=true")
	codex := agent{
		id: "codex", client: "codex", name: "Codex", pkg: "@openai/codex", version: "0.171.0", bin: "codex",
		file:  ".codex/config.toml",
		files: map[string]string{".codex/config.toml": codexConfig("mock")},
		args:  []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--json", question},
		env:   []string{"MOCK_KEY=x"},
	}
	deferring := codex
	deferring.id, deferring.name = "codex-search", "Codex, gpt-5.5"
	deferring.files = map[string]string{".codex/config.toml": codexConfig("gpt-5.5")}
	return []agent{
		claude,
		searching,
		{
			id: "gemini", client: "gemini", name: "Gemini CLI", pkg: "@google/gemini-cli", version: "0.61.0", bin: "gemini",
			file: ".gemini/settings.json",
			files: map[string]string{
				".gemini/settings.json": "{\n  // as a user may have it\n  \"security\": {\"auth\": {\"selectedType\": " +
					"\"gemini-api-key\"}},\n  \"privacy\": {\"usageStatisticsEnabled\": false}\n}\n",
				".gemini/trustedFolders.json": "{\"%[2]s\": \"TRUST_FOLDER\"}\n",
			},
			web: `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false},
"mcpServers": {"workbench": {"httpUrl": "URL", "headers": {"Authorization": "Bearer TOKEN"}}}}`,
			args: []string{"-y", "-o", "stream-json", "-p", question},
			env:  []string{"GOOGLE_GEMINI_BASE_URL=%[1]s", "GEMINI_API_KEY=x", "GEMINI_CLI_DISABLE_AUTO_UPDATE=1"},
		},
		{
			id: "opencode", client: "opencode", name: "opencode", pkg: "opencode-ai", version: "1.18.33", bin: "opencode",
			file:  ".config/opencode/opencode.json",
			files: map[string]string{".config/opencode/opencode.json": openConfig("https://opencode.ai/config.json")},
			args:  []string{"run", "--format", "json", question},
			env:   []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"},
		},
		{
			id: "copilot", client: "copilot", name: "Copilot CLI", pkg: "@github/copilot", version: "1.0.102", bin: "copilot",
			file: ".copilot/mcp-config.json",
			args: []string{"-p", question, "--allow-all-tools", "--disable-builtin-mcps", "--no-auto-update"},
			env: []string{"COPILOT_PROVIDER_BASE_URL=%[1]s/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=mock",
				"COPILOT_OFFLINE=true"},
		},
		codex,
		deferring,
		{
			id: "qwen", client: "qwen", name: "Qwen Code", pkg: "@qwen-code/qwen-code", version: "0.24.4", bin: "qwen",
			file: ".qwen/settings.json",
			files: map[string]string{".qwen/settings.json": `{
  // as a user may have it
  "security": {"auth": {"selectedType": "openai"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false},
  "telemetry": {"enabled": false}
}
`},
			args: []string{"-y", "-o", "stream-json", question},
			env:  []string{"OPENAI_BASE_URL=%[1]s/v1", "OPENAI_API_KEY=x", "OPENAI_MODEL=mock"},
		},
		{
			id: "kimi", client: "kimi", name: "Kimi Code", pkg: "@moonshot-ai/kimi-code", version: "2.1.0",
			also: "node@22.23.3", bin: "kimi",
			file: ".kimi-code/mcp.json",
			args: []string{"--output-format", "stream-json", "-p", question},
			env: []string{
				"KIMI_MODEL_PROVIDER_TYPE=openai", "KIMI_MODEL_BASE_URL=%[1]s/v1", "KIMI_MODEL_NAME=mock", "KIMI_MODEL_API_KEY=x",
				"KIMI_MODEL_MAX_CONTEXT_SIZE=1000000",
				"KIMI_CODE_NO_AUTO_UPDATE=1", "KIMI_DISABLE_TELEMETRY=1",
			},
		},
		{
			// The package for all systems, @kilocode/cli, is not there in this version.
			id: "kilo", client: "kilo", name: "Kilo Code", pkg: "@kilocode/cli-linux-x64", version: "7.7.9",
			bin:   "../@kilocode/cli-linux-x64/bin/kilo",
			file:  ".config/kilo/kilo.json",
			files: map[string]string{".config/kilo/kilo.json": openConfig("https://app.kilo.ai/config.json")},
			args:  []string{"run", "--auto", "--format", "json", question},
			env:   []string{"KILO_DISABLE_MODELS_FETCH=1", "KILO_DISABLE_AUTOUPDATE=1"},
		},
		{
			id: "cline", client: "cline", name: "Cline", pkg: "cline", version: "3.0.65", bin: "cline",
			file:   ".cline/data/settings/cline_mcp_settings.json",
			before: [][]string{{"auth", "-p", "openai", "-k", "x", "-m", "mock", "-b", "%[1]s/v1"}},
			args:   []string{"-P", "openai", "-m", "mock", "--json", question},
			env:    []string{"CLINE_NO_AUTO_UPDATE=1", "CLINE_SESSION_BACKEND_MODE=local"},
		},
		{
			id: "continue", client: "continue", name: "Continue (cn)", pkg: "@continuedev/cli", version: "1.5.47", bin: "cn",
			file: ".continue/config.yaml",
			files: map[string]string{".continue/config.yaml": `name: mine
version: 1.0.0
schema: v1
models:
  - name: mock
    provider: openai
    model: mock
    apiBase: %[1]s/v1
    apiKey: x
    roles: [chat]
`},
			args: []string{"-p", "--auto", "--config", "%[3]s/.continue/config.yaml", question},
			env:  []string{"CONTINUE_TELEMETRY_ENABLED=0"},
		},
	}
}

func codexConfig(model string) string {
	return fmt.Sprintf(`# as a user may have it
model = %q
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "%%[1]s/v1"
env_key = "MOCK_KEY"
wire_api = "responses"

[analytics]
enabled = false
`, model)
}

// openConfig is the file of opencode and of Kilo, which is made from it.
func openConfig(schema string) string {
	return fmt.Sprintf(`{
  "$schema": %q,
  "autoupdate": false,
  "share": "disabled",
  "model": "mock/mock",
  "small_model": "mock/mock",
  "provider": {
    "mock": {
      "npm": "@ai-sdk/openai-compatible",
      "options": {"baseURL": "%%[1]s/v1", "apiKey": "x"},
      "models": {"mock": {"limit": {"context": 1000000, "output": 32000}}}
    }
  }
}
`, schema)
}

// fill replaces the placeholders in a text of the table.
func fill(text, model, work, home string) string {
	// fmt is not used, since it would complain about unused arguments.
	out := text
	for verb, value := range map[string]string{"%[1]s": model, "%[2]s": filepath.ToSlash(work),
		"%[3]s": filepath.ToSlash(home)} {
		out = strings.ReplaceAll(out, verb, value)
	}
	return out
}
