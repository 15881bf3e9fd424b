package clients

// KeychainError says that nothing was brought in, since the keychain does not take the secrets.
type KeychainError struct{ Err error }

func (e *KeychainError) Error() string { return "nothing was brought in: " + e.Err.Error() }
func (e *KeychainError) Unwrap() error { return e.Err }
