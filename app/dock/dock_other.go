//go:build !darwin

package dock

func open() System { return nil }

// attend does nothing: other systems send such requests to a window, or start the program again.
func attend(Requests) error { return nil }
