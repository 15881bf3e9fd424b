package config

// Reference is a reference such as ${HOME} that a text holds.
type Reference struct {
	Name       string
	Keyring    bool // it is a secret in the system's keychain, not an environment variable
	HasDefault bool // it has a text that stands in when the variable is not set
}

// References returns the references of a string of a server's entry, in their order. What only looks like one is left out;
// [Parse] says what is wrong with it.
func References(text string) []Reference {
	var found []Reference
	pieces(text, func(p piece) bool {
		if r := p.reference; r != nil {
			found = append(found, Reference{r.name, r.keyring, r.hasFallback})
		}
		return true
	})
	return found
}
