// Package driver is the client that the conformance suite tests: the engine, with a small MCP client that
// asks it for what a scenario needs. The suite starts it with the address of a server. If that server
// requires a sign-in, the driver is also the user and the browser.
package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const (
	// Variable is the environment variable with the path of the program. If it is set, a test binary acts as
	// the driver.
	Variable = "WORKBENCH_CONFORMANCE_PROGRAM"

	// The suite sets these.
	scenarioVariable = "MCP_CONFORMANCE_SCENARIO"
	contextVariable  = "MCP_CONFORMANCE_CONTEXT"
	versionVariable  = "MCP_CONFORMANCE_PROTOCOL_VERSION"

	// modernVersion is the version of the protocol without sessions.
	modernVersion = "2026-07-28"
)

// patience is the time limit of a scenario. It is less than that of the suite, so that the driver says why.
const patience = 100 * time.Second

// RunIfAsked runs the driver and exits if [Variable] is set. Otherwise it returns.
func RunIfAsked() {
	program := os.Getenv(Variable)
	if program == "" {
		return
	}
	if err := run(program, os.Args[len(os.Args)-1], os.Getenv(scenarioVariable), os.Getenv(contextVariable)); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run has the engine connect to a server and does what the scenario needs.
func run(program, url, scenario, about string) error {
	if scenario == "" {
		return fmt.Errorf("%s is not set; the conformance suite sets it", scenarioVariable)
	}
	act := scenarios()[scenario]
	if act == nil && strings.HasPrefix(scenario, "auth/") {
		act = callTestTool
	}
	if act == nil {
		return fmt.Errorf("the scenario %q is not known", scenario)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := &client{url: url, modern: os.Getenv(versionVariable) == modernVersion}
	if about != "" {
		if err := json.Unmarshal([]byte(about), &c.about); err != nil {
			return fmt.Errorf("reading %s: %w", contextVariable, err)
		}
	}
	folder, err := os.MkdirTemp("", "workbench-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := c.start(ctx, program, folder); err != nil {
		return err
	}
	defer c.engine.Close()
	if err := c.open(ctx); err != nil {
		return err
	}
	return act(ctx, c)
}

// about is what a scenario tells the client besides the address.
type about struct {
	// ClientID and ClientSecret belong to a client that the sign-in service already knows.
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

// registration returns the client that the scenario has registered, or nil.
func (a *about) registration() *config.OAuth {
	if a.ClientID == "" {
		return nil
	}
	return &config.OAuth{ClientID: a.ClientID, ClientSecret: a.ClientSecret}
}

// scenarios returns what the client does in each scenario after the toolbox was opened. Scenarios about
// sign-ins are not listed, since they all call the same tool.
func scenarios() map[string]func(context.Context, *client) error {
	opened := func(context.Context, *client) error { return nil }
	call := func(tool, arguments string) func(context.Context, *client) error {
		return func(ctx context.Context, c *client) error { return c.call(ctx, tool, json.RawMessage(arguments)) }
	}
	return map[string]func(context.Context, *client) error{
		"initialize":                          opened,
		"request-metadata":                    opened,
		"json-schema-ref-no-deref":            opened,
		"tools_call":                          call("add_numbers", `{"a":5,"b":3}`),
		"elicitation-sep1034-client-defaults": call("test_client_elicitation_defaults", `{}`),
		"sse-retry":                           call("test_reconnection", `{}`),
		"json-schema-2020-12-preservation":    echoSchema,
		"sep-2322-client-request-state":       answerInput,
		"http-standard-headers":               useEverything,
		"http-custom-headers":                 callAsTold,
		"http-invalid-tool-headers":           callAll,
	}
}

// callTestTool calls the only tool of the servers that require a sign-in.
func callTestTool(ctx context.Context, c *client) error {
	return c.call(ctx, "test-tool", json.RawMessage(`{}`))
}

// echoSchema sends the schema of a tool back as the driver received it.
func echoSchema(ctx context.Context, c *client) error {
	for _, t := range c.tools {
		if t.Name == "json_schema_2020_12_tool" {
			return c.call(ctx, "json_schema_echo",
				jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "schema", Value: t.InputSchema}}))
		}
	}
	return errors.New("the tool json_schema_2020_12_tool is missing")
}

// answerInput calls tools that ask the user for input. The suite checks the answers.
func answerInput(ctx context.Context, c *client) error {
	for _, name := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated",
		"test_mrtr_no_result_type"} {
		c.note(c.call(ctx, name, json.RawMessage(`{}`)))
	}
	return nil
}

// useEverything uses the first tool, resource and prompt.
func useEverything(ctx context.Context, c *client) error {
	if len(c.tools) > 0 {
		c.note(c.call(ctx, c.tools[0].Name, json.RawMessage(`{}`)))
	}
	for _, kind := range []struct{ list, member, use, key, given string }{
		{"resources/list", "resources", "resources/read", "uri", "uri"},
		{"prompts/list", "prompts", "prompts/get", "name", "name"},
	} {
		listed, err := c.ask(ctx, kind.list, json.RawMessage(`{}`))
		if err != nil {
			c.note(err)
			continue
		}
		for _, item := range c.ofServer(jsonrpc.Lookup(listed, kind.member)) {
			_, err := c.ask(ctx, kind.use,
				jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: kind.given, Value: jsonrpc.Lookup(item, kind.key)}}))
			c.note(err)
			break
		}
	}
	return nil
}

// callAsTold makes the calls that the scenario lists.
func callAsTold(ctx context.Context, c *client) error {
	for _, told := range c.about.ToolCalls {
		c.note(c.call(ctx, told.Name, told.Arguments))
	}
	return nil
}

// callAll calls every tool.
func callAll(ctx context.Context, c *client) error {
	for _, t := range c.tools {
		c.note(c.call(ctx, t.Name, json.RawMessage(`{"region":"us-west1"}`)))
	}
	return nil
}

// config writes the configuration, with the suite's server as its only server, and returns the path of the
// file.
func (c *client) config(folder string) (string, error) {
	type object = map[string]any
	entry := object{"transport": "http", "url": c.url}
	if registered := c.about.registration(); registered != nil {
		entry["oauth"] = object{"clientId": registered.ClientID, "clientSecret": registered.ClientSecret}
	}
	source, err := json.Marshal(object{"toolboxes": object{toolboxName: object{"mcpServers": object{serverName: entry}}}})
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "workbench-config.json")
	return file, os.WriteFile(file, source, 0o600)
}
