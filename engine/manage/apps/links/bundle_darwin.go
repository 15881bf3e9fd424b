package links

func newSystem(func(string) string) (system, error) { return bundle{}, nil }

// bundle is the app bundle of the program. Its Info.plist names the scheme, and macOS reads nothing else.
type bundle struct{}

func (bundle) status(string) (Status, error) { return Status{On: true, Fixed: true}, nil }
func (bundle) register(string) error         { return nil }
func (bundle) remove() error                 { return nil }
