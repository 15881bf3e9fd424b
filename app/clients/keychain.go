package clients

import "github.com/workbench-mcp/workbench-desktop/engine/words"

// KeychainError says that nothing was brought in because the keychain could not store the secrets.
type KeychainError struct{ Err error }

func (e *KeychainError) Error() string { return e.Text().String() }
func (e *KeychainError) Unwrap() error { return e.Err }

// Text returns what [KeychainError.Error] says in any language.
func (e *KeychainError) Text() words.Text {
	return words.New("imports.not_kept", "Why", words.Of(e.Err))
}
