package foreign

import (
	"strings"
	"testing"
	"time"
)

// TestLargeTexts checks that no text within the size limit takes long, since the window parses while one
// types.
func TestLargeTexts(t *testing.T) {
	// The limit depends on the speed of the computer and on the race detector, so a reference is measured first. Only
	// our own processor time counts, since the computer may do other work.
	begin := processorTime(t)
	for range 100 {
		_, _ = Parse(`{"mcpServers":{"a":{"command":"npx","args":["-y","a-mcp","/path/to/x"],"env":{"A_TOKEN":"<token>"}}}}`)
	}
	limit := max(3*time.Second, 60*(processorTime(t)-begin))
	fill := func(piece string, size int) string { return strings.Repeat(piece, size/len(piece)) }
	for name, text := range map[string]string{
		"braces":        fill("{", maxLoose),
		"brackets":      fill("[", maxLoose),
		"names":         fill(`"a":{`, maxLoose),
		"words":         fill("npx a ", maxLoose),
		"words in line": fill("npx a ", 60<<10),
		"lines":         fill("npx -y a-mcp\n", 60<<10),
		"fences":        fill("```\nnpx -y a-mcp\n", maxLoose),
		"blanks":        `{"mcpServers":{"a":{"command":"x","args":["` + fill("path/to/<a>", maxLoose/2) + `"]}}}`,
		"many args":     `{"mcpServers":{"a":{"command":"x","args":[` + fill(`"/path/to/x",`, maxLoose/2) + `]}}}`,
		"many env":      `{"mcpServers":{"a":{"command":"x","env":{` + manyNames(20000) + `}}}}`,
		"many servers":  `{"mcpServers":{` + manyServers(5000) + `}}`,
		"broken":        fill(`{"a" "b" `, maxRepaired),
		"broken quotes": fill(`{"command: "b" `, maxRepaired),
		"yaml":          "mcpServers:\n" + fill("  - command: a\n", maxLoose-100),
		"yaml deep":     "mcpServers:\n  - command: " + fill("[", maxLoose-100),
		"toml":          fill("[mcp_servers.a]\n", maxLoose),
		"dotted toml":   "[" + fill("a.", maxLoose) + "a]\ncommand = 1\n",
		"comments":      fill("/*", maxLoose),
		"slashes":       fill("/", maxLoose),
		"word slashes":  fill("a/", maxLoose),
		"addresses":     fill("https://a/mcp ", maxLoose),
		"percent":       fill("%a", maxLoose),
		"dollars":       fill("${a", 60<<10),
		"quotes":        fill(`"`, maxLoose),
		"smart quotes":  fill("“", maxLoose),
		"backslashes":   fill(`\`, 60<<10),
		"whole json":    `{"mcpServers":{` + manyServers(50_000) + `}}`,
		"whole words":   fill("npx a ", MaxSize),
		"base64":        "cursor://x/install?name=a&config=" + fill("A", maxLoose/2),
	} {
		// Of three tries one must be fast enough: the others may have been disturbed by other programs.
		took := limit + 1
		for range 3 {
			if took > limit {
				begin := processorTime(t)
				_, _ = Parse(text[:min(len(text), MaxSize)])
				took = processorTime(t) - begin
			}
		}
		if took > limit {
			t.Errorf("%s: %v, the limit is %v", name, took, limit)
		} else if testing.Verbose() && took > 100*time.Millisecond {
			t.Logf("%s: %v", name, took)
		}
	}
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"A` + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + `_TOKEN` + strings.Repeat("1", i%9) +
			`":"",`)
	}
	return b.String()
}

func manyServers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"s` + strings.Repeat("x", i%50) + `":{"command":"npx","args":["-y","a-mcp` +
			strings.Repeat("b", i%100) + `"]},`)
	}
	return b.String()
}
