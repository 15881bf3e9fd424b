package e2e

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// side is a client that can do everything. It is connected to server-everything directly, or through the
// engine, which gives tools and prompts names of its own.
type side struct {
	*client
	lib    library
	modern bool // the client speaks 2026-07-28
	engine bool
}

func (s *side) name(own string) string {
	if !s.engine {
		return own
	}
	return dynamicName("dev", "everything", own)
}

// row is one thing that a capable client gets from a server. get returns it as JSON, which must be the same directly
// and through the engine.
type row struct {
	name string
	only func(library) bool // nil: for all
	asks bool               // the server asks the client, and the engine says which server it is
	get  func(*side) any
}

func legacyEra(lib library) bool { return lib.name != "client2-discover" }
func hasTasks(lib library) bool  { return lib.name == "sdk1" }

// ask calls a method of the client library.
func (s *side) ask(method string, args ...any) object {
	s.t.Helper()
	var result object
	s.do("client", object{"method": method, "args": args}, &result)
	return result
}

// run calls a tool of the server and returns its result, with what the server asked during the call.
func (s *side) run(tool string, arguments any) object {
	s.t.Helper()
	s.asked()
	return object{"result": s.call(s.name(tool), arguments), "asked": s.asked()}
}

func (s *side) asked() []object {
	s.t.Helper()
	var asked []object
	s.do("asked", nil, &asked)
	if !legacyEra(s.lib) {
		for _, one := range asked {
			delete(one["params"].(object), "elicitationId") // like "execution" of tools, version 2026-07-28 does not have it
		}
	}
	return asked
}

// await waits for a notification that contains a text.
func (s *side) await(method, about string) {
	s.t.Helper()
	s.do("waitNotification", object{"method": method, "count": 1, "about": about}, nil)
}

// logged returns the data of the log messages that contain a text.
func (s *side) logged(about string) (data []any) {
	s.t.Helper()
	var all []struct {
		Method string `json:"method"`
		Params object `json:"params"`
	}
	s.do("notifications", nil, &all)
	for _, n := range all {
		if text, _ := n.Params["data"].(string); n.Method == "notifications/message" && strings.Contains(text, about) {
			data = append(data, text)
		}
	}
	return data
}

// own returns a list without the engine's own items, and without what the engine adds to the items of the
// server.
func (s *side) own(list any, kind string) (own []object) {
	for _, one := range asList(list) {
		item := one.(object)
		uri, _ := item["uri"].(string)
		template, _ := item["uriTemplate"].(string)
		name, _ := item["name"].(string)
		if strings.HasPrefix(uri+template, "workbench://") || s.engine &&
			(name == "open_toolbox" || name == "close_toolbox") {
			continue
		}
		if meta, _ := item["_meta"].(object); meta["workbench/"+kind] != nil {
			item["name"] = meta["workbench/"+kind].(object)[kind]
			delete(meta, "workbench/"+kind)
			if len(meta) == 0 {
				delete(item, "_meta")
			}
		}
		if text, ok := item["description"].(string); ok && kind == "tool" {
			item["description"] = strings.TrimPrefix(text, "[dev/everything] ")
		}
		own = append(own, item)
	}
	return own
}

func capableRows() []row {
	uri := "demo://resource/dynamic/text/7"
	return []row{
		{name: "tools", get: func(s *side) any {
			tools := s.own(s.ask("listTools")["tools"], "tool")
			if !legacyEra(s.lib) {
				without(tools, "execution") // version 2026-07-28 has no such member, and the library removes it
			}
			slices.SortFunc(tools, func(a, b object) int { return strings.Compare(a["name"].(string), b["name"].(string)) })
			return tools
		}},
		{name: "progress", get: func(s *side) any {
			var got progressed
			s.do("callTool", object{"name": s.name(longRunning), "arguments": object{"duration": 0.5, "steps": 3},
				"progress": true}, &got)
			// The libraries drop a notification that comes together with the result.
			return object{"result": got.Result, "progress": got.Progress[:min(len(got.Progress), 2)]}
		}},
		{name: "prompts", get: func(s *side) any { return s.own(s.ask("listPrompts")["prompts"], "prompt") }},
		{name: "prompt", get: func(s *side) any {
			var got []any
			for _, prompt := range (ordered{
				{"simple-prompt", nil},
				{"args-prompt", object{"city": "Köln", "state": "NRW"}},
				{"completable-prompt", object{"department": "Sales", "name": "Eve"}},
				{"resource-prompt", object{"resourceType": "Text", "resourceId": "3"}},
			}) {
				params := object{"name": s.name(prompt.name)}
				if prompt.value != nil {
					params["arguments"] = prompt.value
				}
				got = append(got, s.ask("getPrompt", params))
			}
			return got
		}},
		{name: "resources", get: func(s *side) any {
			list := s.own(s.ask("listResources")["resources"], "resource")
			got := []any{list}
			for _, resource := range list {
				got = append(got, s.ask("readResource", object{"uri": resource["uri"]}))
			}
			return got
		}},
		{name: "templates", get: func(s *side) any {
			return []any{
				s.own(s.ask("listResourceTemplates")["resourceTemplates"], "resource"),
				s.ask("readResource", object{"uri": uri}),
				s.ask("readResource", object{"uri": "demo://resource/dynamic/blob/8"}),
			}
		}},
		{name: "linked resource", get: func(s *side) any {
			result := s.call(s.name("gzip-file-as-resource"),
				object{"name": "w.gz", "data": "data:text/plain;base64,d29ya2JlbmNo", "outputType": "resourceLink"})
			if legacyEra(s.lib) {
				s.await("notifications/resources/list_changed", "")
			}
			link := asList(result["content"])[0].(object)["uri"]
			return []any{result, s.ask("readResource", object{"uri": link})}
		}},
		{name: "no such resource", get: func(s *side) any {
			var failure object
			s.do("failure", object{"of": object{"op": "client", "method": "readResource",
				"args": []any{object{"uri": "demo://nothing"}}}}, &failure)
			// The engine asks no server for what none lists. Its code is that of the protocol's version; the server has one
			// of its own.
			code := json.Number("-32002")
			if s.lib.name != "sdk1" { // version 2.x of the library makes it the newer one
				code = "-32602"
			}
			if s.engine && failure["code"] != code {
				return failure
			}
			return failure["code"] != nil
		}},
		{name: "completion", get: func(s *side) any {
			return []any{
				s.ask("complete", object{"ref": object{"type": "ref/prompt", "name": s.name("completable-prompt")},
					"argument": object{"name": "name", "value": "A"},
					"context":  object{"arguments": object{"department": "Engineering"}}}),
				s.ask("complete", object{"ref": object{"type": "ref/resource", "uri": "demo://resource/dynamic/text/{resourceId}"},
					"argument": object{"name": "resourceId", "value": "7"}}),
			}
		}},
		{name: "updates", get: func(s *side) any {
			s.do("subscribe", object{"uri": uri}, nil)
			s.call(s.name("toggle-subscriber-updates"), nil)
			s.await("notifications/resources/updated", uri)
			s.call(s.name("toggle-subscriber-updates"), nil)
			return uri
		}},
		{name: "messages", get: func(s *side) any {
			step := object{"name": s.name("toggle-simulated-logging")}
			if s.modern {
				step["meta"] = object{"io.modelcontextprotocol/logLevel": "debug"}
			} else {
				s.ask("setLoggingLevel", "debug")
			}
			s.do("callTool", step, nil) // the server sends one update at once
			s.await("notifications/message", "level")
			s.do("callTool", step, nil)
			return "came"
		}},
		{name: "level", only: legacyEra, get: func(s *side) any {
			// The server logs each subscription at the level info before it answers.
			other := "demo://resource/dynamic/text/9"
			s.ask("setLoggingLevel", "info")
			s.ask("subscribeResource", object{"uri": other})
			s.ask("setLoggingLevel", "error")
			s.ask("unsubscribeResource", object{"uri": other})
			s.ask("setLoggingLevel", "info")
			s.ask("subscribeResource", object{"uri": other})
			return s.logged(other)
		}},
		{name: "sampling", asks: true, get: func(s *side) any {
			return s.run("trigger-sampling-request", object{"prompt": "Hello?"})
		}},
		{name: "form", asks: true, get: func(s *side) any { return s.run("trigger-elicitation-request", nil) }},
		{name: "page", asks: true, get: func(s *side) any {
			return s.run("trigger-url-elicitation", object{"url": "https://example.com/", "elicitationId": "e"})
		}},
		{name: "page first", asks: true, get: func(s *side) any {
			var failure object
			s.do("failure", object{"of": object{"op": "callTool", "name": s.name("trigger-url-elicitation"),
				"arguments": object{"url": "https://example.com/first", "errorPath": true}}}, &failure)
			return failure
		}},
		{name: "roots", get: func(s *side) any { return s.call(s.name("get-roots-list"), nil) }},
		{name: "other roots", only: legacyEra, get: func(s *side) any {
			s.do("setRoots", object{"roots": []any{object{"uri": "file:///a"}, object{"uri": "file:///b"}}}, nil)
			s.await("notifications/message", "Roots updated: 2")
			return s.call(s.name("get-roots-list"), nil)
		}},
		{name: "sampling as a task", asks: true, only: hasTasks, get: func(s *side) any {
			return s.run("trigger-sampling-request-async", object{"prompt": "Hello?"})
		}},
		{name: "form as a task", asks: true, only: hasTasks, get: func(s *side) any {
			return s.run("trigger-elicitation-request-async", nil)
		}},
		{name: "task", asks: true, only: hasTasks, get: func(s *side) any {
			s.asked()
			messages := s.callAsTask("result")
			return []any{messages[0], messages[len(messages)-1], s.asked()}
		}},
		{name: "cancelled task", only: hasTasks, get: func(s *side) any {
			task := s.callAsTask("taskCreated")[0]["task"].(object)
			var got, cancelled, list object
			s.do("tasks", object{"method": "getTask", "id": task["taskId"]}, &got)
			s.do("tasks", object{"method": "cancelTask", "id": task["taskId"]}, &cancelled)
			s.do("tasks", object{"method": "listTasks"}, &list)
			delete(got, "statusMessage") // it says which stage the task is at
			delete(cancelled, "lastUpdatedAt")
			var states []any
			for _, task := range asList(list["tasks"]) {
				states = append(states, task.(object)["status"])
			}
			return []any{got, cancelled, states}
		}},
		{name: "ping", only: legacyEra, get: func(s *side) any { return s.ask("ping") }},
	}
}

// callAsTask calls the tool that can only be called as a task.
func (s *side) callAsTask(until string) (messages []object) {
	s.t.Helper()
	s.do("callAsTask", object{"name": s.name("simulate-research-query"),
		"arguments": object{"topic": "python", "ambiguous": true}, "until": until}, &messages)
	return messages
}

// TestCapableClient: a client that can do everything gets the same from a server that has everything, whether
// it connects directly or through the engine.
func TestCapableClient(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		w := newWorkshop(t)
		engine := w.save(ordered{{"dev", object{"mcpServers": ordered{{"everything", w.entry("dev", "everything")}}}}})
		engine.env["WORKBENCH_TOOL_MODE"] = "dynamic"
		engine.capable = true
		server := w.direct("everything")
		server.capable = true
		through := &side{client: lib.connect(t, engine), lib: lib, modern: !legacyEra(lib), engine: true}
		directly := lib
		if through.modern {
			directly.mode = "legacy" // the server doesn't know server/discover
		}
		direct := &side{client: directly.connect(t, server), lib: lib}
		through.open("dev")
		for _, row := range capableRows() {
			if row.only != nil && !row.only(lib) {
				continue // the library, or the protocol version that it uses here, does not have this
			}
			t.Run(row.name, func(t *testing.T) {
				through.t, direct.t = t, t
				want := plain(t, row.get(direct))
				got, signed := unsigned(plain(t, row.get(through)))
				if row.asks != (signed > 0) {
					t.Errorf("which server asks is said %d times", signed)
				}
				if want == nil {
					t.Fatal("the client gets nothing directly")
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-direct +engine)\n%s", diff)
				}
				if row.name == "tools" && hasTasks(lib) && len(got.([]any)) != 19 {
					t.Errorf("%d tools, want 19", len(got.([]any)))
				}
			})
		}
		if hasTasks(lib) {
			return
		}
		t.Run("task without tasks", func(t *testing.T) {
			through.t = t
			got := through.run("simulate-research-query", object{"topic": "python", "ambiguous": true})
			if text := firstText(t, got["result"].(object)); !strings.Contains(text, `("programming")`) ||
				len(got["asked"].([]object)) != 1 {
				t.Errorf("the tool that can only be called as a task answers %v", got)
			}
		})
	})
}

// signature is what the engine puts before the words of a server that asks the client.
const signature = "[dev/everything] "

// unsigned returns a value without what says which server asks, and how often that was said.
func unsigned(value any) (_ any, times int) {
	strip := func(part any) any {
		part, more := unsigned(part)
		times += more
		return part
	}
	switch value := value.(type) {
	case string:
		return strings.ReplaceAll(value, signature, ""), strings.Count(value, signature)
	case []any:
		for i := range value {
			value[i] = strip(value[i])
		}
	case object:
		for name, member := range value {
			value[name] = strip(member)
		}
		if meta, ok := value["_meta"].(object); ok && meta["workbench/server"] != nil {
			times++
			delete(meta, "workbench/server")
			if len(meta) == 0 {
				delete(value, "_meta")
			}
		}
	}
	return value, times
}

// plain returns a value in the form that the test compares: decoded JSON without the parts that differ from
// run to run, and without what version 2026-07-28 adds to every result.
func plain(t *testing.T, value any) any {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	decode(t, raw, &decoded)
	return without(scrubbed(decoded), "resultType", "ttlMs", "cacheScope")
}

func scrubbed(value any) any {
	unlike := regexp.MustCompile(`\d+:\d\d:\d\d [AP]M|\d{4}-\d\d-\d\dT[0-9:.]+Z|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	switch value := value.(type) {
	case string:
		return unlike.ReplaceAllString(value, "…")
	case []any:
		for i := range value {
			value[i] = scrubbed(value[i])
		}
	case object:
		if meta, _ := value["_meta"].(object); meta != nil {
			delete(meta, "io.modelcontextprotocol/serverInfo")
			if len(meta) == 0 {
				delete(value, "_meta")
			}
		}
		for name, member := range value {
			if text, ok := member.(string); ok && name == "blob" {
				if raw, err := base64.StdEncoding.DecodeString(text); err == nil && value["mimeType"] == "text/plain" {
					member = string(raw)
				}
			}
			value[name] = scrubbed(member)
		}
	}
	return value
}

// without returns a value without the members of these names, at any depth.
func without(value any, members ...string) any {
	switch value := value.(type) {
	case []object:
		for _, one := range value {
			without(one, members...)
		}
	case []any:
		for _, one := range value {
			without(one, members...)
		}
	case object:
		for _, name := range members {
			delete(value, name)
		}
		for _, one := range value {
			without(one, members...)
		}
	}
	return value
}
