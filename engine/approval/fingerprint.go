package approval

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// fingerprint returns a keyed hash of what an entry runs. Entries have the same fingerprint if all their
// fields that need approval are the same. Unset fields do not count, so that a new field in the table changes no
// fingerprint.
func (k key) fingerprint(server *config.Server) string {
	mac := hmac.New(sha256.New, k.derive("fingerprint"))
	mac.Write(server.AppendApproval(nil, true))
	return base64.RawStdEncoding.EncodeToString(mac.Sum(nil))
}
