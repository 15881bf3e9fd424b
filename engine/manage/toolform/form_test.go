package toolform

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// outline returns a field on one line: its name, short kind, marks and contents.
func outline(f *Field) string {
	var b strings.Builder
	if f.Name != "" {
		b.WriteString(f.Name + ":")
	}
	b.WriteString([]string{"string", "text", "number", "integer", "boolean", "choice", "array", "map", "object", "union",
		"null", "raw"}[f.Kind])
	if f.Required {
		b.WriteString("!")
	}
	if f.Nullable {
		b.WriteString("?")
	}
	if f.Default != nil {
		b.WriteString("=" + string(f.Default))
	}
	var parts []string
	for _, option := range f.Options {
		part := string(option.Value)
		if option.Title != strings.Trim(part, `"`) {
			part += "=" + option.Title
		}
		parts = append(parts, part)
	}
	for _, alternative := range f.Alternatives {
		parts = append(parts, strings.TrimSpace(alternative.Title+" "+outline(alternative)))
	}
	for _, field := range f.Fields {
		parts = append(parts, outline(field))
	}
	if f.Item != nil {
		parts = append(parts, outline(f.Item))
	}
	if len(parts) > 0 {
		b.WriteString("{" + strings.Join(parts, " ") + "}")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"scalars", `{"type":"object","required":["b"],"properties":{"b":{"type":"string"},"a":{"type":"number"},"i":{"type":"integer"},"y":{"type":"boolean"}}}`,
			`object{b:string! a:number i:integer y:boolean}`},
		{"long text", `{"type":"object","properties":{"content":{"type":"string"},"note":{"type":"string","maxLength":5000}}}`, `object{content:text note:text}`},
		{"no type", `{"properties":{"a":{"minLength":1},"b":{"items":{"type":"string"}},"c":{}}}`,
			`object{a:string b:array{string} c:raw}`},
		{"enum", `{"type":"object","properties":{"a":{"enum":["x",1,null]},"b":{"const":"fixed"},"c":{"enum":[1,2],"enumNames":["one","two"]}}}`,
			`object{a:choice{"x" 1 null} b:choice{"fixed"} c:choice{1=one 2=two}}`},
		{"titled constants", `{"type":"object","properties":{"a":{"oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}}}`, `object{a:choice{"r"=Red "g"=Green}}`},
		{"nullable", `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null},"c":{"type":"number","nullable":true}}}`,
			`object{a:string? b:integer?=null c:number?}`},
		{"several types", `{"type":"object","properties":{"a":{"type":["string","integer"]}}}`,
			`object{a:union{string integer}}`},
		{"nested", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"string"}}}}}}}}`,
			`object{a:array{object{b:object{c:string}}}}`},
		{"map", `{"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"string"}}}}`,
			`object{env:map{string}}`},
		{"references", `{"$ref":"#/definitions/R","definitions":{"R":{"type":"object","properties":{"u":{"$ref":"#/definitions/U","description":"who"}}},"U":{"type":"string","format":"email"}}}`,
			`object{u:string}`},
		{"tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`,
			`object{root:object{v:string kids:array{raw}}}`},
		{"elsewhere", `{"type":"object","properties":{"a":{"$ref":"https://example.com/x.json"}}}`,
			`object{a:raw}`},
		{"all of", `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"number"}},"required":["b"]}]}`, `object{a:string! b:number!}`},
		{"all of against each other", `{"type":"object","properties":{"x":{"allOf":[{"minimum":1},{"minimum":2}]}}}`,
			`object{x:raw}`},
		{"discriminator", `{"type":"object","properties":{"s":{"oneOf":[
			{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
			{"type":"object","properties":{"kind":{"const":"square"},"a":{"type":"number"}},"required":["kind"]}]}}}`,
			`object{s:union{circle object{kind:choice!{"circle"} r:number!} square object{kind:choice!{"square"} a:number}}}`},
		{"only what goes together", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `object{a:string b:string}`},
		{"whole is a choice", `{"anyOf":[{"type":"object","title":"One","properties":{"a":{"type":"string"}}},{"type":"object","title":"Two"}]}`, `union{One object{a:string} Two raw}`},
		{"tuple", `{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"string"}]}}}`,
			`object{a:raw}`},
		{"boolean schemas", `{"type":"object","properties":{"a":true,"b":false}}`, `object{a:raw}`},
		{"nothing", `{"type":"object","properties":{}}`, `object`},
		{"order and twice", `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"},"z":{"type":"number"}}}`, `object{z:number a:string}`},
		{"odd", `{"type":"object","properties":[1],"required":7}`, `object`},
		{"not JSON", `{"type":`, `raw`},
		{"a number", `7`, `raw`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, outline(Parse(json.RawMessage(c.schema)).Root)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSilent(t *testing.T) {
	for schema, want := range map[string]bool{
		``: true, `true`: true, `{}`: true, `{"type":"object"}`: true, `{"type":"object","additionalProperties":true}`: true,
		`{"type":"object","properties":{}}`: false, `{"type":"object","additionalProperties":false}`: false,
		`{"type":"object","required":["a"]}`: false, `{"$ref":"#"}`: false,
	} {
		if got := Parse(json.RawMessage(schema)).Silent; got != want {
			t.Errorf("%s: silent is %v", schema, got)
		}
	}
	form := Parse(json.RawMessage(`{"type":"object"}`))
	if got, problems := form.Arguments(form.New()); string(got) != "{}" || problems != nil {
		t.Errorf("empty: %s, %v", got, problems)
	}
}

type tool struct {
	Server, Name string
	InputSchema  json.RawMessage
}

func servers(t testing.TB) []tool {
	t.Helper()
	data, err := os.ReadFile("testdata/servers.json")
	if err != nil {
		t.Fatal(err)
	}
	var tools []tool
	if err := json.Unmarshal(data, &tools); err != nil {
		t.Fatal(err)
	}
	return tools
}

// TestServers reads the schemas of well-known servers: each is a form, and each can be checked.
func TestServers(t *testing.T) {
	want := map[string]string{
		"echo":                           `object{message:text!}`,
		"get-annotated-message":          `object{messageType:choice!{"error" "success" "debug"} includeImage:boolean=false}`,
		"get-env":                        `object`,
		"get-resource-links":             `object{count:number=3}`,
		"create_entities":                `object{entities:array!{object{name:string! entityType:string! observations:array!{string}}}}`,
		"edit_file":                      `object{path:string! edits:array!{object{oldText:text! newText:text!}} dryRun:boolean=false}`,
		"directory_tree":                 `object{path:string! excludePatterns:array=[]{string}}`,
		"list_directory_with_sizes":      `object{path:string! sortBy:choice="name"{"name" "size"}}`,
		"read_multiple_files":            `object{paths:array!{string}}`,
		"trigger-long-running-operation": `object{duration:number=10 steps:number=5}`,
	}
	for _, tool := range servers(t) {
		form := Parse(tool.InputSchema)
		got := outline(form.Root)
		if outline, ok := want[tool.Name]; ok && got != outline {
			t.Errorf("%s: %s, want %s", tool.Name, got, outline)
		}
		if strings.Contains(got, "raw(") || strings.Contains(got, ":raw") || form.Unchecked() || form.Silent {
			t.Errorf("%s %s: %s, unchecked %v, silent %v", tool.Server, tool.Name, got, form.Unchecked(), form.Silent)
		}
	}
}

// sample fills in all required values.
func sample(v *Value) {
	switch v.Field.Kind {
	case KindString, KindText:
		v.Text, v.Set = "x", true
	case KindNumber, KindInteger:
		v.Text, v.Set = "1", true
	case KindChoice:
		v.Choose(0)
		v.Set = true
	case KindArray:
		sample(v.Add())
	}
	for _, member := range v.Members {
		if member.Field.Required {
			sample(member)
		}
	}
}

// TestFilledFormsAreRight checks that sample values for well-known servers match the servers' schemas, also
// together with the defaults.
func TestFilledFormsAreRight(t *testing.T) {
	for _, tool := range servers(t) {
		form := Parse(tool.InputSchema)
		v := form.New()
		sample(v)
		for _, member := range v.Members {
			member.Set = member.Set || member.Preset
		}
		if problems := form.Check(v); len(problems) > 0 {
			t.Errorf("%s: %+v", tool.Name, problems)
		}
		if arguments, _ := form.Arguments(v); !json.Valid(arguments) {
			t.Errorf("%s: %s", tool.Name, arguments)
		}
	}
}

func TestArguments(t *testing.T) {
	form := Parse(json.RawMessage(`{"type":"object","required":["n","list","on","preset"],"properties":{
		"n":{"type":"number"},"s":{"type":"string"},"d":{"type":"integer","default":10},"preset":{"type":"string","default":"x"},
		"list":{"type":"array","items":{"type":"string"}},"on":{"type":"boolean"},"maybe":{"type":"array","items":{"type":"integer"}},
		"group":{"type":"object","properties":{"a":{"type":"string"}}},"any":{}}}`))
	v := form.New()
	expect := func(want string) {
		t.Helper()
		got, problems := form.Arguments(v)
		if len(problems) > 0 {
			t.Errorf("problems: %+v", problems)
		}
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	at := func(name string) *Value { return v.child(name) }
	expect(`{"preset":"x","list":[],"on":false}`)
	if d := at("d"); d.Text != "10" || d.Sent() {
		t.Errorf("an unchanged default: %q, sent %v", d.Text, d.Sent())
	}
	at("n").Text, at("n").Set = " 12345678901234567890.10 ", true
	at("d").Set = true
	expect(`{"n":12345678901234567890.10,"d":10,"preset":"x","list":[],"on":false}`)
	at("list").Add().Text = "a\n\"b\""
	at("maybe").Add().Text = "7"
	at("s").Set = true
	at("any").Text, at("any").Set = ` {"z": 1.0, "a": [1e5]} `, true
	at("group").Set = true
	expect(`{"n":12345678901234567890.10,"s":"","d":10,"preset":"x","list":["a\n\"b\""],"on":false,"maybe":[7],"group":{},"any":{"z":1.0,"a":[1e5]}}`)
	at("maybe").Remove(0)
	at("s").Clear()
	at("group").Clear()
	expect(`{"n":12345678901234567890.10,"d":10,"preset":"x","list":["a\n\"b\""],"on":false,"any":{"z":1.0,"a":[1e5]}}`)

	at("d").Text = "1o"
	if _, problems := form.Arguments(v); len(problems) != 1 || problems[0].Message.String() != "This must be a whole number." {
		t.Errorf("letters in a whole number: %+v", problems)
	}
	at("d").Text = "10"

	at("n").Text = "12,5"
	at("any").Text = "{a"
	got, problems := form.Arguments(v)
	if got != nil || len(problems) != 2 || problems[0].Value != at("n") ||
		problems[0].Message.String() != "This must be a number, such as 12 or -0.5." ||
		problems[1].Value != at("any") ||
		!strings.HasPrefix(problems[1].Message.String(), "This is not valid JSON at line 1, column 2: ") {
		t.Errorf("%s %+v", got, problems)
	}
}

// TestFillLosesNothing checks that Arguments returns what the form was filled with, even if it does not fit.
func TestFillLosesNothing(t *testing.T) {
	for _, c := range []struct{ schema, arguments string }{
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"b":{"x":1.50},"a":"x","c":null}`},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":17}`},
		{`{"type":"object","properties":{"a":{"type":"integer","default":3}}}`, `{"a":3}`},
		{`{"type":"object","properties":{"a":{"type":"integer","default":3}}}`, `{}`},
		{`{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"a":100000000000000000000000}`},
		{`{"type":"object","required":["l","o","b","d"],"properties":{"l":{"type":"array"},"o":{"type":"object"},"b":{"type":"boolean"},"d":{"type":"string","default":"x"}}}`, `{}`},
		{`{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"a":null}`},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":""}`},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{"enum":[1,2]}}}}}}`,
			`{"a":[{"b":2},{"b":3},7,{}]}`},
		{`{"type":"object","properties":{"a":{"type":"array"}}}`, `{"a":[]}`},
		{`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"number"}}}}`,
			`{"m":{"k":1,"":"x"}}`},
		{`{"type":"object","properties":{"s":{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}}},{"type":"object","properties":{"kind":{"const":"b"}}}]}}}`, `{"s":{"kind":"b","more":true}}`},
		{`{"type":"object"}`, `{"a":[1,2,{"b":null}]}`},
		{`nonsense`, `{"a":1}`},
	} {
		form := Parse(json.RawMessage(c.schema))
		v, err := form.Fill(json.RawMessage(c.arguments))
		if err != nil {
			t.Errorf("%s: %v", c.arguments, err)
			continue
		}
		got, problems := form.Arguments(v)
		if len(problems) > 0 || sorted(t, got) != sorted(t, json.RawMessage(c.arguments)) {
			t.Errorf("%s\ncame out as %s, %v", c.arguments, got, problems)
		}
	}
	for arguments, want := range map[string]string{
		`[1]`: "This is not an object: arguments begin with { and end with }.", ``: "This is empty.", ` `: "This is empty.",
		"{\n \"a\": }":  "This is not valid JSON at line 2, column 7: ",
		`{"a":1,"a":2}`: "This is not valid JSON at line 1, column 8: ",
		`{"a":1`:        "This is not valid JSON at line 1, column 7: it ends too early.",
	} {
		if _, err := Parse(nil).Fill(json.RawMessage(arguments)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", arguments, err, want)
		}
	}
}

// Two spellings of one value in a schema and in arguments count as the same. Bytes in a schema that are not valid text
// are repaired.
func TestSpelling(t *testing.T) {
	form := Parse(json.RawMessage(
		"{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[\"x\",\"\\u0061\\/b\"]},\"c\":{\"type\":\"string\",\"default\":\"\xff\"}}}"))
	v, err := form.Fill(json.RawMessage(`{"a":"a/b"}`))
	if err != nil {
		t.Fatal(err)
	}
	if a := v.Members[0]; a.Raw || a.Choice != 1 || a.Field.Options[1].Title != "a/b" {
		t.Errorf("filled with %+v", a)
	}
	if c := form.Root.Fields[1]; string(c.Default) != "\"\ufffd\"" {
		t.Errorf("the default is %q", c.Default)
	}
}

// sorted returns JSON with its members sorted and its numbers unchanged.
func sorted(t testing.TB, text json.RawMessage) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestCheck(t *testing.T) {
	const schema = `{"type":"object","required":["name","n"],"additionalProperties":false,"properties":{
		"name":{"type":"string","minLength":3,"pattern":"^[a-z]+$"},"n":{"type":"integer","minimum":1,"maximum":10},
		"half":{"type":"number","multipleOf":0.5,"exclusiveMinimum":0},"when":{"type":"string","format":"date"},
		"tags":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string","maxLength":2}},
		"who":{"type":"object","required":["mail"],"properties":{"mail":{"type":"string","format":"email"}}},
		"opt":{"anyOf":[{"type":"string","minLength":2},{"type":"null"}]},
		"shape":{"oneOf":[{"type":"object","title":"Circle","required":["r"],"properties":{"k":{"const":"c"},"r":{"type":"number","minimum":1}}},
			{"type":"object","title":"Square","required":["a"],"properties":{"k":{"const":"s"},"a":{"type":"number","minimum":2}}}]}}}`
	form := Parse(json.RawMessage(schema))
	for _, c := range []struct {
		arguments string
		want      []string
	}{
		{`{"name":"abc","n":1}`, nil},
		{`{}`, []string{"name: This is needed.", "n: This is needed."}},
		{`{"name":"A","n":0}`, []string{"name: This must have at least 3 characters.", "name: This must match the pattern ^[a-z]+$.",
			"n: This must be at least 1."}},
		{`{"name":"abc","n":11.5}`, []string{"n: This must be a whole number."}},
		{`{"name":"abc","n":"1"}`, []string{"n: This must be a whole number."}},
		{`{"name":"abc","n":11,"half":0.3}`, []string{"n: This must be at most 10.", "half: This must be a multiple of 0.5."}},
		{`{"name":"abc","n":1,"half":0}`, []string{"half: This must be more than 0."}},
		{`{"name":"abc","n":1,"when":"today"}`, []string{"when: This must be a date, such as 2026-01-31."}},
		{`{"name":"abc","n":1,"tags":[]}`, []string{"tags: This needs at least 1 entry."}},
		{`{"name":"abc","n":1,"tags":["a","a","long"]}`,
			[]string{"tags: This has the same entry twice: 1 and 2.", "tags › 3: This must have at most 2 characters."}},
		{`{"name":"abc","n":1,"who":{}}`, []string{"who › mail: This is needed."}},
		{`{"name":"abc","n":1,"who":{"mail":"x"}}`, []string{"who › mail: This must be an e-mail address."}},
		{`{"name":"abc","n":1,"opt":null}`, nil},
		{`{"name":"abc","n":1,"opt":"x"}`, []string{"opt: This must have at least 2 characters."}},
		{`{"name":"abc","n":1,"shape":{"k":"s","a":1}}`, []string{"shape › a: This must be at least 2."}},
		{`{"name":"abc","n":1,"shape":{"k":"c"}}`, []string{"shape › r: This is needed."}},
		{`{"name":"abc","n":1,"more":1}`, []string{`This has what the tool does not know: "more".`}},
	} {
		var got []string
		for _, problem := range form.CheckJSON(json.RawMessage(c.arguments)) {
			got = append(got, problem.Message.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.arguments, diff)
		}
	}

	either := Parse(json.RawMessage(
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`))
	if got := either.Check(either.New()); len(got) != 1 || got[0].Message.String() != `This needs one of "a", "b".` {
		t.Errorf("either: %+v", got)
	}
}

// TestHostileSchemas checks that a check that would cost too much is given up, and that the form still works.
func TestHostileSchemas(t *testing.T) {
	doubling := `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`
	for i := range 40 {
		doubling += fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	doubling += `"d40":{"type":"string"}}}`
	wide := `{"type":"object","properties":{`
	for i := range 3000 {
		wide += fmt.Sprintf(`"p%d":{"type":"string"},`, i)
	}
	wide += `"last":{}}}`
	for name, schema := range map[string]string{
		"doubling":    doubling,
		"wide":        wide,
		"deep":        strings.Repeat(`{"properties":{"a":`, 2000) + "{}" + strings.Repeat("}}", 2000),
		"deep enough": strings.Repeat(`{"properties":{"a":`, 45) + "{}" + strings.Repeat("}}", 45),
		"loop":        `{"$ref":"#"}`,
		"loops":       `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"numbers":     `{"type":"object","properties":{"a":{"type":"number","minimum":1e999999999}}}`,
		"zero":        `{"type":"object","properties":{"a":{"type":"number","multipleOf":0}}}`,
		"pattern":     `{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)(a+)+$"}}}`,
		"file":        `{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}`,
		"dialect":     `{"$schema":"https://example.com/mine","type":"object","properties":{"a":{"type":"string"}}}`,
	} {
		begin := time.Now()
		form := Parse(json.RawMessage(schema))
		for _, arguments := range []string{`{}`, `{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}`, `{"a":1e999999999}`,
			strings.Repeat(`{"a":`, 90) + "1" + strings.Repeat("}", 90)} {
			v, err := form.Fill(json.RawMessage(arguments))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			form.Check(v)
		}
		if took := time.Since(begin); took > 30*time.Second { // it normally takes a tenth of a second
			t.Errorf("%s takes %v", name, took)
		}
	}
	if form := Parse(json.RawMessage(
		`{"$schema":"https://example.com/mine","type":"object","required":["a"]}`)); form.Unchecked() ||
		len(form.Check(form.New())) != 1 {
		t.Errorf("an unknown dialect is not checked: %v", form.Unchecked())
	}
}

func FuzzForm(f *testing.F) {
	for _, tool := range servers(f) {
		f.Add([]byte(tool.InputSchema), []byte(`{"path":"x","a":1}`))
	}
	f.Add([]byte(`{"type":"object","properties":{"s":{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}}},{"type":"null"}]},"m":{"additionalProperties":{"type":["string","null"],"default":"x"}}}}`), []byte(`{"s":{"kind":"b"},"m":{"x":null}}`))
	f.Add([]byte(`{"allOf":[{"$ref":"#/$defs/a"},{"required":["b"]}],"$defs":{"a":{"properties":{"b":{"$ref":"#"},"c":{"enum":[1,1.0,"x"],"default":1.0}}}}}`), []byte(`{"b":{"b":{}},"c":1}`))
	f.Fuzz(func(t *testing.T, schema, arguments []byte) {
		if len(schema) > 1<<14 || len(arguments) > 1<<14 {
			return
		}
		form := Parse(schema)
		empty := form.New()
		if text, problems := form.Arguments(empty); len(problems) == 0 && !json.Valid(text) {
			t.Errorf("the empty form gives %q", text)
		}
		for _, problem := range form.Check(empty) {
			if problem.Value == nil || problem.Message.IsZero() || len(problem.Message.String()) > 8*maxWords {
				t.Errorf("a problem without its place or words: %+v", problem)
			}
		}
		filled, err := form.Fill(arguments)
		if err != nil {
			return
		}
		text, problems := form.Arguments(filled)
		if len(problems) > 0 {
			t.Fatalf("a JSON value cannot be written: %+v", problems)
		}
		if sorted(t, text) != sorted(t, arguments) {
			t.Errorf("%s\ncame out as %s", arguments, text)
		}
		form.Check(filled)
		form.CheckJSON(arguments)
		again, err := form.Fill(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if second, _ := form.Arguments(again); string(second) != string(text) {
			t.Errorf("%s\nsecond time %s", text, second)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var fields []string
	for i := range 380 {
		fields = append(fields, fmt.Sprintf(
			`"field-%03d": {"type": "string", "description": "What it is about", "minLength": 1}`, i))
	}
	schema := json.RawMessage(`{"type": "object", "properties": {` + strings.Join(fields, ", ") + `}}`)
	b.Run("380 fields", func(b *testing.B) {
		for b.Loop() {
			Parse(schema)
		}
	})
	b.Run("380 fields, ready to check", func(b *testing.B) {
		for b.Loop() {
			if Parse(schema).Unchecked() {
				b.Fatal("it is not checked")
			}
		}
	})
}

// TestWholeNumberSaysItsLimit: letters in a whole number with a limit are answered with both, at once.
func TestWholeNumberSaysItsLimit(t *testing.T) {
	form := Parse(json.RawMessage(`{"type": "object", "properties": {"lines": {"type": "integer", "minimum": 1}}}`))
	v := form.New()
	v.child("lines").Text, v.child("lines").Set = "many", true
	if _, problems := form.Arguments(v); len(problems) != 1 ||
		problems[0].Message.String() != "This must be a whole number of at least 1." {
		t.Errorf("the problems are %+v", problems)
	}
}
