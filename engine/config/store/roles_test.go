package store

func roles() map[string]func() error { return map[string]func() error{} }
