package keychain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Keychains have limits: Windows takes 2,560 bytes, and the command of macOS about 3,000. A longer value is stored in
// parts under names of their own, on every system. What is stored under its name is then a head, which says how many
// parts there are, and what they must be together.
const (
	partSize = 1800
	maxParts = 64

	// partsService is the service name of the parts. No configuration can refer to them.
	partsService = "workbench-parts"

	headPrefix = "workbench-parts:"
)

// errTooLarge means that a value or its name is larger than the keychain takes.
const errTooLarge = words.Code("expand.keychain_too_large")

// errParts means that a value cannot be put together: something has changed or removed its parts.
const errParts = words.Code("expand.keychain_parts")

// head describes a value in parts.
type head struct {
	count  int
	digest string // of the whole value, in hexadecimal
}

func (h head) String() string { return fmt.Sprintf("%s%d:%s", headPrefix, h.count, h.digest) }

// part returns the name of a part. It has the beginning of the digest, so that the parts of the value before stay
// until the new ones are complete.
func (h head) part(service, name string, i int) string {
	return fmt.Sprintf("%s/%s %s %d", service, name, h.digest[:16], i)
}

// parseHead returns the head in a stored value; ok is false if that is the value itself.
func parseHead(stored string) (h head, ok bool) {
	rest, ok := strings.CutPrefix(stored, headPrefix)
	if !ok {
		return head{}, false
	}
	count, digest, _ := strings.Cut(rest, ":")
	number, err := strconv.Atoi(count)
	if sum, bad := hex.DecodeString(digest); err != nil || bad != nil || len(sum) != sha256.Size || number < 1 ||
		number > maxParts {
		return head{}, false
	}
	return head{number, digest}, true
}

func digest(value string) string {
	sum := sha256.Sum256([]byte(value))
	return hex.EncodeToString(sum[:])
}

// read returns a value.
func read(service, name string) (string, error) {
	stored, err := keyring.Get(service, name)
	if err != nil {
		return "", understood(err)
	}
	h, inParts := parseHead(stored)
	if !inParts {
		return stored, nil
	}
	var value strings.Builder
	for i := range h.count {
		part, err := keyring.Get(partsService, h.part(service, name, i))
		if err = understood(err); IsNotFound(err) {
			return "", errParts
		} else if err != nil {
			return "", err
		}
		value.WriteString(part)
	}
	if digest(value.String()) != h.digest {
		return "", errParts
	}
	return value.String(), nil
}

// write stores a value. The one before stays until the new one is complete.
func write(service, name, value string) error {
	before, had := head{}, false
	if stored, err := keyring.Get(service, name); err == nil {
		before, had = parseHead(stored)
	}
	stored := value
	now := head{digest: digest(value)}
	if _, looks := parseHead(value); looks || len(value) > partSize {
		if len(value) > partSize*maxParts {
			return errTooLarge
		}
		for rest := value; rest != ""; now.count++ {
			size := min(partSize, len(rest))
			if err := keyring.Set(partsService, now.part(service, name, now.count), rest[:size]); err != nil {
				now.remove(service, name)
				return understood(err)
			}
			rest = rest[size:]
		}
		stored = now.String()
	}
	if err := keyring.Set(service, name, stored); err != nil {
		if !had || before.digest != now.digest {
			now.remove(service, name)
		}
		return understood(err)
	}
	if had && (now.count == 0 || before.digest != now.digest) {
		before.remove(service, name)
	}
	return nil
}

// erase removes a value.
func erase(service, name string) error {
	stored, err := keyring.Get(service, name)
	h, inParts := parseHead(stored)
	if err := keyring.Delete(service, name); err != nil {
		return understood(err)
	}
	if err == nil && inParts {
		h.remove(service, name)
	}
	return nil
}

// remove removes the parts of a value. What stays there harms nobody: it is only read with its head.
func (h head) remove(service, name string) {
	for i := range h.count {
		_ = keyring.Delete(partsService, h.part(service, name, i))
	}
}
