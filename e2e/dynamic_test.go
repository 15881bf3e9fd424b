package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nameBudget is the maximum length in bytes of a dynamic name, for clients that are not known (contract.md,
// section 4).
const nameBudget = 44

// TestDynamic runs a session in dynamic mode: opened tools are listed and called by dynamic names.
func TestDynamic(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		w := newWorkshop(t)
		engine := w.standard()
		engine.env["WORKBENCH_TOOL_MODE"] = "dynamic"
		engine.clientName = "continue-cli-client" // it shows its model long answers
		c := lib.connect(t, engine)
		direct := lib.connectDirect(t, w, "everything")

		metaTools := []string{"close_toolbox", "open_toolbox"}
		if diff := cmp.Diff(metaTools, sorted(names(c.listTools()))); diff != "" {
			t.Fatalf("tools/list before (-want +got):\n%s", diff)
		}
		dev := c.open("dev")
		c.do("waitNotification", object{"method": "notifications/tools/list_changed", "count": 1}, nil)
		listed := c.listTools()
		checkRegistered(t, dev, listed, metaTools)
		checkDynamicDefinitions(t, lib, direct.listTools(), listed)

		for _, call := range everythingCalls() {
			want := direct.call(call.tool, call.arguments)
			checkSameResult(t, lib, call.tool, want, c.call(dynamicName("dev", "everything", call.tool), call.arguments))
		}
		checkDynamicErrors(t, c)

		if got, want := firstText(t, c.call("close_toolbox", object{"toolbox_name": "dev"})),
			`{"toolbox":"dev","closed":true,"servers_disconnected":3}`; got != want {
			t.Errorf("close_toolbox answers %s, want %s", got, want)
		}
		c.do("waitNotification", object{"method": "notifications/tools/list_changed", "count": 2}, nil)
		if diff := cmp.Diff(metaTools, sorted(names(c.listTools()))); diff != "" {
			t.Errorf("tools/list after (-want +got):\n%s", diff)
		}
	})
}

// TestAutoMode: a client that is known to follow list changes gets dynamic mode because of its name.
func TestAutoMode(t *testing.T) {
	needNPM(t)
	t.Parallel()
	engine := newWorkshop(t).standard()
	engine.clientName = "claude-code"
	c := libraries()[0].connect(t, engine)
	if got := sorted(names(c.listTools())); slices.Contains(got, "use_tool") {
		t.Errorf("claude-code is offered %q, want dynamic mode", got)
	}
}

// dynamicName is a second implementation of the rule in contract.md, section 4.
func dynamicName(toolbox, server, tool string) string {
	name := toolbox + "__" + server + "__" + tool
	if len(name) <= nameBudget {
		return name
	}
	return name[:nameBudget-9] + "_" + tripleHash(toolbox, server, tool)
}

// checkRegistered compares the names in the answer of open_toolbox with the answer of tools/list.
func checkRegistered(t *testing.T, dev opened, listed []object, metaTools []string) {
	t.Helper()
	want := slices.Clone(metaTools)
	for _, tool := range dev.Tools {
		name, _ := tool["registered_name"].(string)
		plain := "dev__" + tool["source_server"].(string) + "__" + tool["name"].(string)
		if len(plain) <= nameBudget && name != plain {
			t.Errorf("%s is registered as %q", plain, name)
		}
		if len(plain) > nameBudget && (len(name) > nameBudget ||
			!strings.HasSuffix(name, "_"+tripleHash("dev", tool["source_server"].(string), tool["name"].(string)))) {
			t.Errorf("%s, which is too long, is registered as %q", plain, name)
		}
		want = append(want, name)
	}
	if len(want) < 30 {
		t.Fatalf("only %d tools are registered", len(want))
	}
	if diff := cmp.Diff(sorted(want), sorted(names(listed))); diff != "" {
		t.Errorf("tools/list (-open_toolbox +listed):\n%s", diff)
	}
}

// tripleHash returns the 8 hex digits for names that had to be cut. The contract does not say how the triple
// becomes bytes. It only requires that different triples give different bytes.
func tripleHash(toolbox, server, tool string) string {
	sum := sha256.Sum256([]byte(toolbox + "\x00" + server + "\x00" + tool))
	return hex.EncodeToString(sum[:4])
}

// checkDynamicDefinitions compares listed tools with the definitions that the same client library gets
// directly from the server. Only the name, the prefix of the description and _meta may differ.
func checkDynamicDefinitions(t *testing.T, lib library, direct, listed []object) {
	t.Helper()
	byName := map[string]object{}
	for _, tool := range listed {
		byName[tool["name"].(string)] = tool
	}
	for _, want := range direct {
		original := want["name"].(string)
		got, ok := byName[dynamicName("dev", "everything", original)]
		if !ok {
			t.Errorf("%s is not listed as %s", original, dynamicName("dev", "everything", original))
			continue
		}
		if meta, _ := got["_meta"].(object); len(meta) == 0 {
			t.Errorf("%s does not say where it comes from: %v", original, got["_meta"])
		}
		delete(got, "_meta")
		delete(want, "_meta")
		if lib.name == "client2-discover" { // version 2026-07-28 has no such member, and the library removes it
			delete(want, "execution")
		}
		got["name"] = original
		description, ok := strings.CutPrefix(got["description"].(string), "[dev/everything] ")
		if !ok {
			t.Errorf("%s is described as %q", original, got["description"])
		}
		got["description"] = description
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-direct +engine):\n%s", original, diff)
		}
	}
}

func checkDynamicErrors(t *testing.T, c *client) {
	t.Helper()
	if got, want := firstText(t, c.call("open_toolbox", object{"toolbox_name": "production"})),
		"Toolbox 'production' not found in configuration"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, name := range []string{"list_toolboxes", "dev__everything__nothing"} {
		if failure := c.try("callTool", object{"name": name, "arguments": object{}}, nil); !strings.Contains(failure,
			"not found") {
			t.Errorf("%s: %q", name, failure)
		}
	}
}
