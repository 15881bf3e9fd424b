package catalogue

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Variables returns the names of the environment variables that a well-known server reads. The server is
// recognized by the package, image or program that its entry names. There are none for an unknown server.
func Variables(server *config.Server) []string {
	known := lookedAt()
	for _, word := range append([]string{process.Name(server.Command)}, server.Args...) {
		name := withoutVersion(word)
		if names, ok := known[name]; ok {
			return names
		}
		if strings.HasPrefix(name, "awslabs.") {
			return []string{"AWS_PROFILE", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"}
		}
	}
	return nil
}

// withoutVersion returns the name of a package or image without its version: @scope/name for @scope/name@1.2,
// and name for name==1.2.
func withoutVersion(word string) string {
	if i := strings.IndexAny(strings.TrimPrefix(word, "@"), "@="); i > 0 {
		return word[:len(word)-len(strings.TrimPrefix(word, "@"))+i]
	}
	if i := strings.LastIndexByte(word, ':'); i > strings.LastIndexByte(word, '/') && strings.Contains(word, "/") {
		return word[:i]
	}
	return word
}

// lookedAt returns the variables by package, image or program: those of the catalogue, and those of servers
// that are not in it.
var lookedAt = sync.OnceValue(func() map[string][]string {
	known := map[string][]string{
		"ssh":                                           {"SSH_AUTH_SOCK"},
		"github-mcp-server":                             {"GITHUB_PERSONAL_ACCESS_TOKEN"},
		"@modelcontextprotocol/server-github":           {"GITHUB_PERSONAL_ACCESS_TOKEN"},
		"@modelcontextprotocol/server-gitlab":           {"GITLAB_PERSONAL_ACCESS_TOKEN", "GITLAB_API_URL"},
		"@modelcontextprotocol/server-slack":            {"SLACK_BOT_TOKEN", "SLACK_TEAM_ID", "SLACK_CHANNEL_IDS"},
		"@modelcontextprotocol/server-brave-search":     {"BRAVE_API_KEY"},
		"@modelcontextprotocol/server-google-maps":      {"GOOGLE_MAPS_API_KEY"},
		"@modelcontextprotocol/server-aws-kb-retrieval": {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"},
		"@azure/mcp": {"AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET",
			"AZURE_SUBSCRIPTION_ID"},
		"@browserbasehq/mcp":    {"BROWSERBASE_API_KEY", "BROWSERBASE_PROJECT_ID"},
		"@sentry/mcp-server":    {"SENTRY_ACCESS_TOKEN"},
		"@stripe/mcp":           {"STRIPE_SECRET_KEY"},
		"@upstash/context7-mcp": {"CONTEXT7_API_KEY"},
		"kubernetes-mcp-server": {"KUBECONFIG"},
		"mcp-server-kubernetes": {"KUBECONFIG"},
		"mcp-atlassian": {"JIRA_URL", "JIRA_USERNAME", "JIRA_API_TOKEN", "CONFLUENCE_URL",
			"CONFLUENCE_USERNAME", "CONFLUENCE_API_TOKEN"},
		"ghcr.io/sooperset/mcp-atlassian": {"JIRA_URL", "JIRA_USERNAME", "JIRA_API_TOKEN", "CONFLUENCE_URL",
			"CONFLUENCE_USERNAME", "CONFLUENCE_API_TOKEN"},
	}
	for _, e := range list() {
		var entry struct {
			Args []string          `json:"args"`
			Env  map[string]string `json:"env"`
		}
		if json.Unmarshal(e.Template, &entry) != nil || len(entry.Env) == 0 {
			continue
		}
		if name := packageOf(entry.Args, entry.Env); name != "" {
			known[name] = slices.Sorted(maps.Keys(entry.Env))
		}
	}
	return known
})

// packageOf returns the package or image that arguments name: the first word that is no option, no value of
// an option and no name of a variable.
func packageOf(args []string, env map[string]string) string {
	for _, word := range args {
		if _, variable := env[word]; !variable && !strings.HasPrefix(word, "-") && word != "run" && word != "server" {
			return withoutVersion(word)
		}
	}
	return ""
}
