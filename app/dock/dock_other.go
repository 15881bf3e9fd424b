//go:build !darwin

package dock

// attend does nothing: other systems only send requests to windows, and start the program again.
func attend(Requests) error { return nil }
