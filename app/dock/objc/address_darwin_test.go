package objc

import "testing"

// TestAddressesOfNothing sends the real runtime a message to nil, which returns nil.
func TestAddressesOfNothing(t *testing.T) {
	const library = "/usr/lib/libobjc.A.dylib"
	r, err := Open(library)
	if err != nil {
		t.Fatal(err)
	}
	address, err := r.Addresses(library)
	if err != nil {
		t.Fatal(err)
	}
	if got := address(0); got != "" {
		t.Errorf("%q, want nothing", got)
	}
}
