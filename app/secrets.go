package app

import (
	"errors"
	"fmt"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// What the window does with the system's keychain. Each of these may ask the user, and so take as long as the user does: they
// are called on goroutines of their own.

// keepSecret puts a value into the keychain under a name, or under one like it when that holds something else already. It gives
// the name.
func keepSecret(wish, value string) (string, error) {
	const most = 100 // names that are tried
	for i := 1; i <= most; i++ {
		name := wish
		if i > 1 {
			name = fmt.Sprintf("%s-%d", wish, i)
		}
		held, err := keyring.Get(config.KeyringService, name)
		switch {
		case err == nil && held == value:
			return name, nil
		case err == nil:
			continue
		case !errors.Is(err, keyring.ErrNotFound):
			return "", config.ExplainKeychain(err)
		}
		if err := keyring.Set(config.KeyringService, name, value); err != nil {
			return "", config.ExplainKeychain(err)
		}
		return name, nil
	}
	return "", fmt.Errorf("the keychain has too many secrets called %s", wish)
}

// setSecret puts a value into the keychain under a name, whatever was there.
func setSecret(name, value string) error {
	if err := keyring.Set(config.KeyringService, name, value); err != nil {
		return fmt.Errorf("the keychain does not take the secret: %w", config.ExplainKeychain(err))
	}
	return nil
}

// deleteSecret takes a value out of the keychain. One that is not there is no error.
func deleteSecret(name string) error {
	if err := keyring.Delete(config.KeyringService, name); err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("the keychain cannot be used: %w", config.ExplainKeychain(err))
	}
	return nil
}

// readSecret reads a value from the keychain.
func readSecret(name string) (string, error) {
	value, err := keyring.Get(config.KeyringService, name)
	if err != nil {
		return "", fmt.Errorf("the keychain cannot be read: %w", config.ExplainKeychain(err))
	}
	return value, nil
}

// hasSecret tells whether the keychain has a name.
func hasSecret(name string) (bool, error) {
	switch _, err := keyring.Get(config.KeyringService, name); {
	case err == nil:
		return true, nil
	case errors.Is(err, keyring.ErrNotFound):
		return false, nil
	default:
		return false, fmt.Errorf("the keychain cannot be read: %w", config.ExplainKeychain(err))
	}
}
