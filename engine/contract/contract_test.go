package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validators names the check of every schema file.
func validators() map[string]func(json.RawMessage) error {
	return map[string]func(json.RawMessage) error{
		"initialize.request.json":  ValidateInitializeRequest,
		"initialize.response.json": ValidateInitializeResponse,
		"tool.definition.json":     ValidateTool,
		"resource.definition.json": ValidateResource,
		"error.envelope.json":      ValidateEnvelope,
	}
}

type instance struct {
	name string
	raw  string
	want string // the whole message; "" for a valid value
}

// library compiles a schema file with a library for JSON Schema, with whose results those of the package are
// compared.
func library(t testing.TB, file string) *jsonschema.Schema {
	t.Helper()
	raw, err := fs.ReadFile(Schemas(), file)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat() // session_id is a UUID; in draft 2020-12 a format is otherwise only an annotation
	if err := compiler.AddResource("embedded:///schema.json", document); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("embedded:///schema.json")
}

func check(t *testing.T, file string, instances []instance) {
	t.Helper()
	judge := library(t, file)
	for _, tt := range instances {
		t.Run(tt.name, func(t *testing.T) {
			err := validators()[file](json.RawMessage(tt.raw))
			if value, unread := jsonschema.UnmarshalJSON(strings.NewReader(tt.raw)); unread == nil {
				if judged := judge.Validate(value); (judged == nil) != (err == nil) {
					t.Errorf("%s\ngives %v, the library says %v", tt.raw, err, judged)
				}
			}
			if tt.want == "" {
				if err != nil {
					t.Fatalf("%s\nis refused: %v", tt.raw, err)
				}
				return
			}
			var violation *Violation
			if !errors.As(err, &violation) {
				t.Fatalf("%s\ngives %v, want a violation", tt.raw, err)
			}
			if got := violation.Error(); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestValidateInitializeRequest(t *testing.T) {
	check(t, "initialize.request.json", []instance{
		{"least", `{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`, ""},
		{"newest", `{"protocolVersion":"2026-07-28","capabilities":{"roots":{"listChanged":true},"x":[1]},"clientInfo":{"name":"c","version":"","title":"C","icons":[]},"_meta":{},"other":1}`, ""},
		{"absent", ``, "params is required"},
		{"null", `null`, "params must be an object, not null"},
		{"array", `[]`, "params must be an object, not an array"},
		{"empty", `{}`, "params.capabilities is required; params.clientInfo is required; params.protocolVersion is required"},
		{"no name", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"version":"1"}}`,
			"params.clientInfo.name is required"},
		{"no version", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c"}}`,
			"params.clientInfo.version is required"},
		{"name is a number", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":1e999,"version":"1"}}`,
			"params.clientInfo.name must be a string, not a number"},
		{"capabilities are a list", `{"protocolVersion":"2025-11-25","capabilities":[],"clientInfo":{"name":"c","version":"1"}}`, "params.capabilities must be an object, not an array"},
		{"no date", `{"protocolVersion":"1.0","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`,
			`params.protocolVersion must be a date written YYYY-MM-DD such as "2025-11-25", not "1.0"`},
		{"date and more", `{"protocolVersion":"2025-11-25\n","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`,
			`params.protocolVersion must be a date written YYYY-MM-DD such as "2025-11-25", not "2025-11-25\n"`},
		{"long value is cut", `{"protocolVersion":"` + strings.Repeat("ü", 1000) +
			`","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`,
			`params.protocolVersion must be a date written YYYY-MM-DD such as "2025-11-25", not "` +
				strings.Repeat("ü", maxQuoted) + `"…`},
		{"broken", `{"protocolVersion":`, "params is not valid JSON: unexpected EOF at byte 19"},
		{"two values", `{} {}`, "params is not valid JSON: something follows the value at byte 4"},
	})
}

func TestValidateInitializeResponse(t *testing.T) {
	const id = `"session_id":"550e8400-e29b-41d4-a716-446655440000"`
	check(t, "initialize.response.json", []instance{
		{"least", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},` + id + `}`,
			""},
		{"empty", `{}`, "result.capabilities is required; result.protocolVersion is required; result.serverInfo is " +
			"required; result.session_id is required"},
		{"no uuid", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},"session_id":"stdio"}`, `result.session_id must be a UUID, not "stdio"`},
		{"uuid in braces", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},"session_id":"{550e8400-e29b-41d4-a716-446655440000}"}`, `result.session_id must be a UUID, not "{550e8400-e29b-41d4-a716-446655440000}"`},
		{"uuid without dashes", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},"session_id":"550e8400e29b41d4a716446655440000"}`, `result.session_id must be a UUID, not "550e8400e29b41d4a716446655440000"`},
		{"instructions", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},` + id +
			`,"instructions":null}`, "result.instructions must be a string, not null"},
		{"serverInfo", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"version":true},` + id + `}`,
			"result.serverInfo.name is required; result.serverInfo.version must be a string, not a boolean"},
	})
}

func TestValidateTool(t *testing.T) {
	check(t, "tool.definition.json", []instance{
		{"least", `{"name":"t","inputSchema":{"type":"object"}}`, ""},
		{"odd name", `{"name":" Größe/… ","inputSchema":{"type":"object"}}`, ""},
		{"unknown members", `{"name":"t","x-y":[null],"inputSchema":{"type":"object","additionalProperties":false,"oneOf":[true],"$ref":"#/nowhere","pattern":"("}}`, ""},
		{"boolean property schemas", `{"name":"t","inputSchema":{"type":"object","properties":{"a":true,"b":false}}}`, ""},
		{"definitions beside $defs", `{"name":"t","inputSchema":{"type":"object","definitions":{"a":{}},"$defs":{"a":{}}}}`,
			""},
		{"big numbers", `{"name":"t","inputSchema":{"type":"object","properties":{"n":{"maximum":9007199254740993,"minimum":-1e400}},"maximum":123456789012345678901234567890,"x":1e999999999}}`, ""},
		{"doubled member", `{"name":"t","name":"u","inputSchema":{"type":"object"}}`, ""},
		{"broken UTF-8", "{\"name\":\"\xff\",\"inputSchema\":{\"type\":\"object\",\"title\":\"\\ud800\"}}", ""},
		{"all optional members", `{"name":"t","title":"T","description":"","inputSchema":{"type":"object","properties":{},"required":[]},"outputSchema":{},"annotations":{},"icons":[],"execution":{},"_meta":{}}`, ""},
		{"absent", ``, "tool is required"},
		{"text", `"t"`, "tool must be an object, not a string"},
		{"no name", `{"inputSchema":{"type":"object"}}`, "tool.name is required"},
		{"empty name", `{"name":"","inputSchema":{"type":"object"}}`, "tool.name cannot be empty"},
		{"name is a number", `{"name":1,"inputSchema":{"type":"object"}}`, "tool.name must be a string, not a number"},
		{"no schema", `{"name":"t"}`, "tool.inputSchema is required"},
		{"schema null", `{"name":"t","inputSchema":null}`, "tool.inputSchema must be an object, not null"},
		{"schema boolean", `{"name":"t","inputSchema":true}`, "tool.inputSchema must be an object, not a boolean"},
		{"schema empty", `{"name":"t","inputSchema":{}}`, "tool.inputSchema.type is required"},
		{"schema of a string", `{"name":"t","inputSchema":{"type":"string"}}`,
			`tool.inputSchema.type must be "object", not "string"`},
		{"schema of two types", `{"name":"t","inputSchema":{"type":["object","null"]}}`,
			`tool.inputSchema.type must be "object", not an array`},
		{"properties a list", `{"name":"t","inputSchema":{"type":"object","properties":[]}}`,
			"tool.inputSchema.properties must be an object, not an array"},
		{"required as in draft 3", `{"name":"t","inputSchema":{"type":"object","required":true}}`,
			"tool.inputSchema.required must be an array, not a boolean"},
		{"required of numbers", `{"name":"t","inputSchema":{"type":"object","required":["a",1]}}`,
			"tool.inputSchema.required[1] must be a string, not a number"},
		{"description null", `{"name":"t","description":null,"inputSchema":{"type":"object"}}`,
			"tool.description must be a string, not null"},
		{"wrong optional members", `{"name":"t","title":1,"inputSchema":{"type":"object"},"outputSchema":[],"annotations":"a","icons":{},"execution":1}`,
			"tool.annotations must be an object, not a string; tool.execution must be an object, not a number; tool.icons " +
				"must be an array, not an object; tool.outputSchema must be an object, not an array; tool.title must be a " +
				"string, not a number"},
		{"_meta", `{"name":"t","_meta":[],"inputSchema":{"type":"object"}}`, "tool._meta must be an object, not an array"},
		{"many problems", `{"name":"t","inputSchema":{"type":"object","required":[1,2,3,4,5,6,7]}}`,
			"tool.inputSchema.required[0] must be a string, not a number; tool.inputSchema.required[1] must be a string, " +
				"not a number; tool.inputSchema.required[2] must be a string, not a number; tool.inputSchema.required[3] must " +
				"be a string, not a number; tool.inputSchema.required[4] must be a string, not a number; and 2 more"},
	})
}

func TestValidateResource(t *testing.T) {
	check(t, "resource.definition.json", []instance{
		{"least", `{"uri":"file:///a","name":""}`, ""},
		{"more", `{"uri":"x:","name":"n","title":"T","size":99999999999999999999,"annotations":{"audience":["user"]}}`, ""},
		{"empty", `{}`, "resource.name is required; resource.uri is required"},
		{"empty uri", `{"uri":"","name":"n"}`, "resource.uri cannot be empty"},
		{"wrong types", `{"uri":[],"name":"n","description":1,"mimeType":{}}`,
			"resource.description must be a string, not a number; resource.mimeType must be a string, not an object; " +
				"resource.uri must be a string, not an array"},
	})
}

func TestValidateEnvelope(t *testing.T) {
	check(t, "error.envelope.json", []instance{
		{"least", `{"error":{"code":"UNAVAILABLE","message":"m"}}`, ""},
		{"beside its text", `{"error":{"code":"UNAVAILABLE","details":{"toolbox":"dev"}}}`, ""},
		{"empty", `{}`, "envelope.error is required"},
		{"unknown code", `{"error":{"code":"OOPS","message":"m"}}`,
			`envelope.error.code must be one of INVALID_INPUT, AUTH_REQUIRED, UNAVAILABLE, INTERNAL_ERROR, not "OOPS"`},
		{"numeric code", `{"error":{"code":-32602,"message":"m"}}`,
			"envelope.error.code must be one of INVALID_INPUT, AUTH_REQUIRED, UNAVAILABLE, INTERNAL_ERROR, not a number"},
		{"silent", `{"error":{"code":"UNAVAILABLE","message":""}}`, "envelope.error.message cannot be empty"},
		{"details", `{"error":{"code":"UNAVAILABLE","message":"m","details":{"toolbox":1,"server":null}}}`,
			"envelope.error.details.server must be a string, not null; envelope.error.details.toolbox must be a string, not " +
				"a number"},
	})
}

// TestNewEnvelope checks the written form, and that it matches its schema for every code.
func TestNewEnvelope(t *testing.T) {
	for _, code := range []Code{InvalidInput, AuthRequired, Unavailable, InternalError} {
		raw, err := json.Marshal(NewEnvelope(code, "no", Details{Toolbox: "dev", Tool: "query"}))
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"error":{"code":"` + string(code) +
			`","message":"no","details":{"toolbox":"dev","tool":"query"}}}`; string(raw) != want {
			t.Errorf("got %s, want %s", raw, want)
		}
		if err := ValidateEnvelope(raw); err != nil {
			t.Error(err)
		}
	}
}

// TestHostileDepth checks values as deep as a JSON reader accepts, and deeper.
func TestHostileDepth(t *testing.T) {
	nest := func(levels int) json.RawMessage {
		return json.RawMessage(`{"name":"t","inputSchema":{"type":"object","properties":{"a":` +
			strings.Repeat(`{"items":[`, levels) + strings.Repeat(`]}`, levels) + `}}}`)
	}
	if err := ValidateTool(nest(4000)); err != nil { // 8,003 levels
		t.Errorf("a deep schema is refused: %v", err)
	}
	if err := ValidateTool(nest(1_000_000)); err == nil ||
		!strings.Contains(err.Error(), "tool is not valid JSON: exceeded max depth") {
		t.Errorf("two million levels give %v", err)
	}
	for name, validate := range validators() {
		if err := validate(json.RawMessage(strings.Repeat("[", 5_000_000))); err == nil {
			t.Errorf("%s: five million brackets pass", name)
		}
	}
}

// TestSchemas checks that the files are as README.md says: draft 2020-12, named by their $id, with valid
// examples, and with only those keywords that the messages can describe.
func TestSchemas(t *testing.T) {
	names, err := fs.Glob(Schemas(), "*")
	if err != nil {
		t.Fatal(err)
	}
	all := validators()
	if len(names) != len(all) {
		t.Fatalf("there are %d files for %d checks: %v", len(names), len(all), names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			validate, ok := all[name]
			if !ok {
				t.Fatal("no check uses this file")
			}
			raw, err := fs.ReadFile(Schemas(), name)
			if err != nil {
				t.Fatal(err)
			}
			var document struct {
				Draft    string            `json:"$schema"`
				ID       string            `json:"$id"`
				Examples []json.RawMessage `json:"examples"`
			}
			if err := json.Unmarshal(raw, &document); err != nil {
				t.Fatal(err)
			}
			if document.Draft != jsonschema.Draft2020.String() {
				t.Errorf("$schema is %q", document.Draft)
			}
			if !strings.HasSuffix(document.ID, "/"+name) {
				t.Errorf("$id is %q", document.ID)
			}
			if len(document.Examples) == 0 {
				t.Error("there are no examples")
			}
			for _, example := range document.Examples {
				if err := validate(example); err != nil {
					t.Errorf("%s\nis refused: %v", example, err)
				}
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
			if err != nil {
				t.Fatal(err)
			}
			holdRules(t, value.(map[string]any), "", 0)
		})
	}
}

// holdRules checks what the code relies on: which keywords occur, which members have a pattern or a format,
// and how deep the schemas look.
func holdRules(t *testing.T, node map[string]any, member string, depth int) {
	t.Helper()
	if depth > frameDepth {
		t.Errorf("%s lies %d levels deep, frame decodes %d", member, depth, frameDepth)
	}
	known := []string{"$schema", "$id", "title", "description", "examples", "type", "const", "enum", "required",
		"properties", "items", "minLength", "pattern", "format"}
	for keyword := range node {
		if !slices.Contains(known, keyword) {
			t.Errorf("%s: no message speaks of %q", member, keyword)
		}
	}
	if _, ok := node["pattern"]; ok && member != "protocolVersion" {
		t.Errorf("the message for a pattern speaks of a date, %s has one", member)
	}
	if _, ok := node["format"]; ok && member != "session_id" {
		t.Errorf("the message for a format speaks of a UUID, %s has one", member)
	}
	if least, ok := node["minLength"]; ok && least != json.Number("1") {
		t.Errorf("%s: the message for minLength %v says that it cannot be empty", member, least)
	}
	if kind, ok := node["type"]; ok {
		if _, ok := kind.(string); !ok {
			t.Errorf("%s: the message for a type speaks of one", member)
		}
	}
	if properties, ok := node["properties"].(map[string]any); ok {
		for name, sub := range properties {
			holdRules(t, sub.(map[string]any), name, depth+1)
		}
	}
	if items, ok := node["items"].(map[string]any); ok {
		holdRules(t, items, member+"[]", depth+1)
	}
}
