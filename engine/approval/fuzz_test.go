package approval_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
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
	f.Add([]byte(`{"format":1,"sealed":"AAAA"}`))
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		err := p.program().Check(t.Context(), cfg.Toolboxes[0].Servers[0])
		if same := string(raw) == string(good); same != (err == nil) && !sealedTheSame(raw, good) {
			t.Errorf("%q gives %v", raw, err)
		}
		if err != nil && !errors.Is(err, approval.ErrChanged) && !words.Is(err, "approval.keychain_unreachable") {
			t.Error(err)
		}
	})
}

// sealedTheSame reports whether two files differ only in the spelling of their JSON.
func sealedTheSame(a, b []byte) bool {
	var x, y struct {
		Format int    `json:"format"`
		Sealed []byte `json:"sealed"`
	}
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x.Format == y.Format && string(x.Sealed) == string(y.Sealed)
}
