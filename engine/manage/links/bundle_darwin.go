package links

func newSystem(func(string) string) (system, error) { return bundle{}, nil }

// bundle is the program's bundle, whose Info.plist names the scheme. macOS asks nobody else.
type bundle struct{}

func (bundle) status(string) (Status, error) { return Status{On: true, Fixed: true}, nil }
func (bundle) register(string) error         { return nil }
func (bundle) remove() error                 { return nil }
