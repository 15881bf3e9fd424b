package doctor

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestVariablesThatServersDoNotInherit(t *testing.T) {
	set := map[string]string{"GITHUB_PERSONAL_ACCESS_TOKEN": "x", "BRAVE_API_KEY": "x", "KUBECONFIG": "x",
		"AWS_PROFILE": "x", "SSH_AUTH_SOCK": "x"}
	here := Surroundings{Lookup: config.Lookup{Env: func(name string) (string, bool) {
		value, ok := set[name]
		return value, ok
	}}}
	for entry, want := range map[string]string{
		`"command": "docker", "args": ["run", "-i", "-e", "A_TOKEN", "--env", "B=1", "-eC_TOKEN", "--env=D_TOKEN", "-v", "/x:/y", "x/image", "-e", "E"]`: "A_TOKEN C_TOKEN D_TOKEN",
		`"command": "/usr/bin/docker", "args": ["run", "-e", "A_TOKEN", "-e", "HOME", "x"], "env": {"A_TOKEN": "1"}`:                                     "",
		`"command": "docker", "args": ["run", "-e", "${NAME}", "-e", "<TOKEN>", "x"]`:                                                                    "",
		// as an import writes it
		`"command": "docker", "args": ["run", "-e", "A_TOKEN", "x"], "env": {"A_TOKEN": ""}`:         "A_TOKEN",
		`"command": "docker", "args": ["run", "-e"]`:                                                 "",
		`"command": "docker", "args": ["run", "-i", "ghcr.io/github/github-mcp-server:latest"]`:      "GITHUB_PERSONAL_ACCESS_TOKEN",
		`"command": "docker", "args": ["run", "-e", "A_TOKEN", "x"], "inheritEnv": true`:             "",
		`"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github@2025.1.1"]`:           "GITHUB_PERSONAL_ACCESS_TOKEN",
		`"command": "npx", "args": ["-y", "@brave/brave-search-mcp-server", "--transport", "stdio"]`: "BRAVE_API_KEY",
		// not set here
		`"command": "npx", "args": ["-y", "exa-mcp-server"]`:                        "",
		`"command": "npx", "args": ["-y", "kubernetes-mcp-server@latest"]`:          "KUBECONFIG",
		`"command": "uvx", "args": ["awslabs.aws-documentation-mcp-server@latest"]`: "AWS_PROFILE",
		`"command": "ssh", "args": ["host", "server"]`:                              "SSH_AUTH_SOCK",
		`"command": "npx", "args": ["-y", "unknown-server"]`:                        "",
		`"url": "https://example.com/mcp"`:                                          "",
	} {
		source := `{"toolboxes": {"dev": {"mcpServers": {"a": {` + entry + `}}}}}`
		document := config.Parse("x", []byte(source))
		if !document.Valid() {
			t.Fatalf("%s: %v", entry, document.Diagnostics)
		}
		found := document.CheckVariables(here.Withheld)
		if want == "" {
			if len(found) > 0 {
				t.Errorf("%s: %v", entry, found)
			}
			continue
		}
		names := strings.Fields(want)
		if len(found) != 1 || found[0].Code != config.VariableNotInherited || found[0].Fix == nil {
			t.Fatalf("%s: %+v", entry, found)
		}
		fixed, err := config.ApplyChanges(document.Source, found[0].Fix.Changes)
		if err != nil {
			t.Fatal(err)
		}
		after := config.Parse("x", fixed)
		server, _ := after.Config.Toolboxes[0].Server("a")
		for _, name := range names {
			if !strings.Contains(string(fixed), `"`+name+`": "${`+name+`}"`) &&
				!strings.Contains(string(fixed), `"`+name+`":"${`+name+`}"`) {
				t.Errorf("%s is fixed to %s", entry, fixed)
			}
		}
		if !after.Valid() || len(after.CheckVariables(here.Withheld)) > 0 || server == nil || len(server.Env) < len(names) {
			t.Errorf("%s is fixed to %s", entry, fixed)
		}
		if got := found[0].Message.String(); strings.Count(got, `"`) != 2*len(names) {
			t.Errorf("%s: %s names others than %s", entry, got, want)
		}
	}
}

func TestStatedVariablesStayWhereTheyAre(t *testing.T) {
	source := `{"toolboxes": {"dev": {"mcpServers": {
  "a": {
    "command": "docker",
    "args": ["run", "-i", "-e", "A_TOKEN", "-e", "B_TOKEN", "x/y"], // the image
    "env": {
      "B_TOKEN": "b"
    }
  }
}}}}`
	document := config.Parse("x", []byte(source))
	found := document.CheckVariables(Surroundings{}.Withheld)
	if len(found) != 1 || found[0].Fix == nil {
		t.Fatalf("%+v", found)
	}
	fixed, err := config.ApplyChanges(document.Source, found[0].Fix.Changes)
	want := strings.Replace(source, `"B_TOKEN": "b"`, "\"B_TOKEN\": \"b\",\n      \"A_TOKEN\": \"${A_TOKEN}\"", 1)
	if err != nil || string(fixed) != want {
		t.Errorf("the fixed file is\n%s", fixed)
	}
}

func FuzzPassedOn(f *testing.F) {
	f.Add("run\n-e\nA\n--env=B\nx")
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		for _, name := range passedOn(&config.Server{Command: "docker", Args: args}) {
			if !variableName(name) || !strings.Contains(text, name) {
				t.Errorf("%q is passed on", name)
			}
		}
	})
}
