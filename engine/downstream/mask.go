package downstream

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// minSecret is the shortest value that is searched for in a server's output. Shorter ones occur in any text
// by chance.
const minSecret = 6

// newMask returns a function that masks, in a server's output, the secrets of its entry. Servers often print
// their settings, and logs are kept and sent to others. The entry is expanded. The function is fast, unlike
// secret.Mask, which finds secrets of any form and is used only for text that is shown.
func newMask(server *config.Server) func(string) string {
	var pairs []string
	hide := func(value string) {
		if len(value) >= minSecret {
			pairs = append(pairs, value, "•••")
		}
	}
	for _, variables := range [][]config.Variable{server.Env, server.Headers} {
		for _, v := range variables {
			if secret.Pair(v.Name, v.Value) {
				hide(v.Value)
				// "Bearer abc" may also be printed as "abc".
				if _, token, ok := strings.Cut(v.Value, " "); ok {
					hide(token)
				}
			}
		}
	}
	if server.OAuth != nil {
		hide(server.OAuth.ClientSecret)
	}
	for i, argument := range server.Args {
		name, value, joined := strings.Cut(argument, "=")
		switch {
		case joined && strings.HasPrefix(name, "-") && secret.Pair(name, value):
			hide(value)
		case i > 0 && strings.HasPrefix(server.Args[i-1], "-") && secret.Pair(server.Args[i-1], argument):
			hide(argument)
		case secret.Value(argument):
			hide(argument)
		}
	}
	for _, value := range addressSecrets(server.URL) {
		hide(value)
	}
	return strings.NewReplacer(pairs...).Replace
}
