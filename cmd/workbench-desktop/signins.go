package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
)

// openSignIns returns the user's sign-ins to remote servers; nil if their folder is not known. If folder is
// not empty, it returns the sign-ins in that folder, without the keychain.
func openSignIns(folder string, base http.RoundTripper, log *slog.Logger) *signin.Store {
	if folder != "" {
		return signin.Open(signin.Options{Dir: folder, Base: base})
	}
	folder, err := paths.Here(os.Getenv).SignIns()
	if err != nil {
		log.Warn("There are no sign-ins to remote servers", "error", err)
		return nil
	}
	return signin.Open(signin.Options{Dir: folder, Keychain: signin.SystemKeychain(), Base: base})
}

// tokens returns the tokens of a store, which may be nil.
func tokens(signIns *signin.Store) downstream.Tokens {
	if signIns == nil {
		return nil
	}
	return signIns
}
