package approval_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
)

// FuzzRecord replaces the record by other bytes: then nothing is approved, and nothing panics.
func FuzzRecord(f *testing.F) {
	p := &person{t: &testing.T{}, folder: f.TempDir()}
	path := filepath.Join(p.folder, "approvals.json")
	cfg := parse(&testing.T{}, memory)
	if err := p.program().Begin(f.Context(), file, cfg); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":2,"record":{"free":true}}`))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		a := p.program()
		err := a.Check(file, "dev", cfg.Toolboxes[0].Servers[0])
		if err != nil && !errors.Is(err, approval.ErrChanged) {
			t.Error(err)
		}
		if err == nil && !theSame(raw, good) {
			t.Errorf("%q approves it", raw)
		}
		if err != nil && a.State().Lost == nil {
			t.Errorf("%q is used", raw)
		}
	})
}

// theSame reports whether two files differ only in the spelling of their JSON around the record.
func theSame(a, b []byte) bool {
	var x, y struct {
		Format int             `json:"format"`
		MAC    []byte          `json:"mac"`
		Record json.RawMessage `json:"record"`
	}
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x.Format == y.Format &&
		string(x.MAC) == string(y.MAC) && string(x.Record) == string(y.Record)
}
