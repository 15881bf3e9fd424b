package approval

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// fingerprint returns a keyed hash of what an entry runs. Two entries have the same one when all their guarded fields are the same. Fields that
// are not set do not count, so that a new field of the table changes no fingerprint.
func (k key) fingerprint(server *config.Server) string {
	mac := hmac.New(sha256.New, k.derive("fingerprint"))
	mac.Write(server.AppendGuarded(nil, true))
	return base64.RawStdEncoding.EncodeToString(mac.Sum(nil))
}
