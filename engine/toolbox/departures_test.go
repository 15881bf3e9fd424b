package toolbox

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// A departing server is forgotten once it is gone. Another departing server of the same name is still waited
// for.
func TestDepartedIsForgotten(t *testing.T) {
	m := newManager(t, oneToolbox("dev"), Options{})
	at := ServerID{"dev", "s"}
	first, second := &link{toolbox: at.Toolbox, entry: &config.Server{Name: at.Server}},
		&link{toolbox: at.Toolbox, entry: &config.Server{Name: at.Server}}
	m.boxes.mu.Lock()
	m.super.leaving.depart(first)
	m.super.leaving.depart(second)
	m.boxes.mu.Unlock()
	m.super.leaving.departed(first)
	if left := m.super.leaving.links[at]; len(left) != 1 || left[0] != second {
		t.Errorf("%d are left", len(left))
	}
	m.super.leaving.departed(second)
	if len(m.super.leaving.links) != 0 {
		t.Error("a server that has ended is not forgotten")
	}
}
