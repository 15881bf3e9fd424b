//go:build linux

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestNoOpenGL: where no window can be drawn, the program says so and stays in the tray. A second start says so too,
// and leaves the first one alone.
func TestNoOpenGL(t *testing.T) {
	s := newSession(t, twoToolboxes)
	s.env = append(s.env, "DISPLAY=:"+
		startPrinting(t, s.env, "Xvfb", "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-extension",
			"GLX"))
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	icon.shows(t, []string{"Why there is no window…", "Pause all", "Quit"})
	says := func(program *process) error {
		for _, want := range []string{"OpenGL 2.1", `"workbench-desktop stdio"`, "Mesa"} {
			if !strings.Contains(program.output.String(), want) {
				return fmt.Errorf("it does not say %s: %s", want, program.output)
			}
		}
		return nil
	}
	eventually(t, func() error { return says(program) })
	second := s.run(t)
	eventually(t, second.hasEnded)
	if err := says(second); err != nil {
		t.Error(err)
	}
	if !program.running() {
		t.Error("the second start ends the first")
	}
	icon.click(t, "Quit", program.hasEnded)
	program.endsWell(t)
}
