package engines

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
)

// A document that comes back while another one is checked delays no snapshot: its warnings are known.
func TestDocumentThatComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFacts(nil)
		first, second := config.Parse("a", []byte("{}")), config.Parse("a", []byte("{ }"))
		f.warnings(first)
		f.check(t.Context(), doctor.Surroundings{})
		f.warnings(second)
		begun := time.Now()
		f.warnings(first)
		if waited := time.Since(begun); waited > 0 {
			t.Errorf("it waits %v", waited)
		}
	})
}
