package edit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// FuzzEdit does operations on any bytes. Input that is not a JSON list of operations is used to choose some
// at random.
func FuzzEdit(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		f.Fatal("no archives", err)
	}
	for i, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		in := encode(archive.Comment, archive.Files[0].Data)
		f.Add(in, archive.Files[1].Data, uint64(i))
		f.Add(in, []byte(nil), uint64(i))
	}
	for seed := range uint64(20) {
		r := random{rand.New(rand.NewPCG(seed, 3))}
		f.Add([]byte(r.write(r.document())), []byte(nil), seed)
	}
	f.Fuzz(func(t *testing.T, source, text []byte, seed uint64) {
		var ops written
		if json.Unmarshal(text, &ops) != nil || len(ops) == 0 {
			r := random{rand.New(rand.NewPCG(seed, 4))}
			root := newObject()
			if tree, err := hujson.Parse(append(bytes.TrimPrefix(bytes.Clone(source), []byte("\ufeff")), '\n')); err == nil {
				if o, ok := fromTree(tree).(*object); ok {
					root = o
				}
			}
			ops = written{r.op(root)}
		}
		kept := bytes.Clone(source)
		result, err := edit.Apply(source, ops...)
		if !bytes.Equal(kept, source) {
			t.Fatal("the source was changed")
		}
		if errors.Is(err, edit.ErrBug) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		checkResult(t, source, result, ops)
		if _, problem := config.CheckSyntax(result); problem != nil {
			t.Fatal(problem.Message)
		}
	})
}

// FuzzServerText looks for a file for which ServerText and ServerTextOf return different texts.
func FuzzServerText(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		f.Fatal("no archives", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encode(archive.Comment, archive.Files[0].Data), "dev", "files")
	}
	for seed := range uint64(20) {
		r := random{rand.New(rand.NewPCG(seed, 5))}
		f.Add([]byte(r.write(r.document())), "", "x")
	}
	f.Fuzz(func(t *testing.T, source []byte, toolbox, server string) {
		document := config.Parse("config", source)
		sameServerText(t, document, toolbox, server)
		for _, box := range document.Config.Toolboxes {
			sameServerText(t, document, box.Name, server)
			for _, entry := range box.Servers {
				sameServerText(t, document, box.Name, entry.Name)
			}
		}
	})
}

// sameServerText checks that ServerText and ServerTextOf return the same.
func sameServerText(t *testing.T, document *config.Document, toolbox, server string) {
	t.Helper()
	slow, err := edit.ServerText(document.Source, toolbox, server)
	quick, err2 := edit.ServerTextOf(document, toolbox, server)
	if quick != slow || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
		t.Fatalf("%q, %q: %q, %v, but %q, %v\n%s", toolbox, server, quick, err2, slow, err, document.Source)
	}
}

func thousandServers() []byte {
	var b strings.Builder
	b.WriteString("{\n  // many servers\n  \"toolboxes\": {\n")
	for i := range 50 {
		fmt.Fprintf(&b, "    \"box%d\": {\n      \"description\": \"Some tools\",\n      \"mcpServers\": {\n", i)
		for j := range 20 {
			fmt.Fprintf(&b, "        \"server%d\": {\n          \"command\": \"npx\",\n          \"args\": [\"-y\", "+
				"\"@modelcontextprotocol/server-filesystem\", \"${HOME}/projects\"],\n"+
				"          \"env\": { \"TOKEN\": \"${keyring:github}\", \"LEVEL\": \"${LEVEL:-info}\" },\n          "+
				"\"startupTimeout\": 10,\n        },\n", j)
		}
		b.WriteString("      },\n    },\n")
	}
	b.WriteString("  },\n}\n")
	return []byte(b.String())
}

func BenchmarkApply1000Servers(b *testing.B) {
	source := thousandServers()
	target := edit.Target{Toolbox: "box25", Server: "server7"}
	for _, op := range []edit.Op{
		edit.SetField{Target: target, Field: []string{"startupTimeout"}, Value: jsonc.Value(20)},
		edit.SetField{Target: target, Field: []string{"cwd"}, Value: jsonc.Value("/srv")},
		edit.AddServer{Toolbox: "box25", Name: "new", Entry: []byte(`{"command":"npx"}`)},
		edit.MoveServer{Toolbox: "box25", Name: "server7", At: edit.Position{After: "server19"}},
	} {
		b.Run(kind(op), func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				if _, err := edit.Apply(source, op); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkServerText1000Servers(b *testing.B) {
	source := thousandServers()
	document := config.Parse("config", source)
	for name, text := range map[string]func() (string, error){
		"read anew": func() (string, error) { return edit.ServerText(source, "box25", "server7") },
		"read":      func() (string, error) { return edit.ServerTextOf(document, "box25", "server7") },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := text(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
