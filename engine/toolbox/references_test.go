package toolbox

import (
	"fmt"
	"strings"
	"testing"
)

// TestClaimsAreBounded: a server cannot fill our memory with links.
func TestClaimsAreBounded(t *testing.T) {
	var c references
	server, other := ServerID{"t", "s"}, ServerID{"t", "o"}
	c.add("0", other)
	for i := range 3 * maxOwners {
		c.add(fmt.Sprint(i), server)
		c.add(strings.Repeat("x", maxOwned+1), server)
	}
	if len(c.by) != maxOwners+1 || len(c.order[server]) != maxOwners || len(c.of("0")) != 1 || len(c.of("1")) != 0 {
		t.Errorf("%d links of %d", len(c.by), len(c.order[server]))
	}
}
