package foreign

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Forms of references in other clients. Ours are ${NAME}, ${NAME:-default} and ${keyring:NAME}.
var (
	envReference    = lazyregexp.New(`\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}|\{env:([A-Za-z_][A-Za-z0-9_]*)\}|\$\{\{\s*(?:env|secrets)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}|\$env:([A-Za-z_][A-Za-z0-9_]*)`)
	dollarName      = lazyregexp.New(`(^|[\s:=,"'])\$([A-Z][A-Z0-9_]{2,})\b`)
	percent         = lazyregexp.New(`%([A-Za-z_][A-Za-z0-9_()]*)%`)
	inputReference  = lazyregexp.New(`\$\{input:([^}]+)\}`)
	folderReference = lazyregexp.New(`\$\{(?:workspaceFolder(?::[^}]*)?|workspaceRoot|workspaceFolderBasename|PWD|CWD|cwd|CLAUDE_PROJECT_DIR(?::-[^}]*)?|__dirname)\}|\$\(pwd\)|` + "`pwd`")
)

// references rewrites the references of other clients into ours.
func (t *translation) references() {
	Each(&t.Server, func(place Part, value *string) {
		before := *value
		text := envReference.ReplaceAllStringFunc(before, func(found string) string {
			for _, name := range envReference.FindStringSubmatch(found)[1:] {
				if name != "" {
					return "${" + name + "}"
				}
			}
			return found
		})
		text = dollarName.ReplaceAllString(text, "$1$${$2}")
		if text != before {
			t.note(words.New("foreign.references"))
		}
		if place.Field != "url" && percent.MatchString(text) {
			text = percent.ReplaceAllString(text, "${$1}")
			t.note(words.New("foreign.percent"))
		}
		text = strings.NewReplacer("${userHome}", "${HOME}", "${pathSeparator}", "/", "${/}", "/").Replace(text)
		if place.Field != "headers" && (strings.HasPrefix(text, "~/") || text == "~") {
			text = "${HOME}" + text[1:]
			t.note(words.New("foreign.tilde"))
		}
		*value = text
	})
}
