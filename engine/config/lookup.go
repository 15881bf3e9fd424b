package config

import (
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Lookup provides the values of references. In the zero value, nothing is set.
type Lookup struct {
	// Env returns an environment variable, and whether it is set.
	Env func(name string) (string, bool)

	// Keyring returns a secret from the system's keychain.
	Keyring func(name string) (string, error)

	// Acted is called when the person has done something that needs the keychain, so that it is asked again even if it
	// has refused. It may be nil.
	Acted func()
}

// SystemLookup returns a Lookup of this process's environment and the user's keychain.
func SystemLookup() Lookup {
	return Lookup{
		Env:     func(name string) (string, bool) { return paths.LookupEnv(os.LookupEnv, name) },
		Keyring: keychain.Get,
		Acted:   keychain.Acted,
	}
}

// PersonActed calls Acted.
func (l Lookup) PersonActed() {
	if l.Acted != nil {
		l.Acted()
	}
}

func (l Lookup) env(name string) (string, bool) {
	if l.Env == nil {
		return "", false
	}
	return paths.LookupEnv(l.Env, name)
}

func (l Lookup) secret(name string) (string, error) {
	if l.Keyring == nil {
		return "", words.NewError("expand.no_keychain")
	}
	return l.Keyring(name)
}

// keychain returns a secret from the keychain. The error says what to do.
func (l Lookup) keychain(name string) (string, error) {
	secret, err := l.secret(name)
	switch {
	case keychain.IsNotFound(err):
		return "", words.NewError("expand.no_secret", "Name", quoted(name), "Service", quoted(keychain.Service)).Because(err)
	case err != nil:
		return "", words.NewError("expand.keychain_unread", "Name", quoted(name), "Why", keychain.Explain(err))
	}
	return secret, nil
}
