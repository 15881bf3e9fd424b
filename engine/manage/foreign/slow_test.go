package foreign

import (
	"strings"
	"testing"
	"time"
)

// TestLargeTexts checks that no text within the size limit takes long, since the window parses while one
// types.
func TestLargeTexts(t *testing.T) {
	// The limit depends on the speed of the computer, on what else it does, and on the race detector, so a
	// reference is measured first.
	begin := time.Now()
	for range 100 {
		_, _ = Parse(`{"mcpServers":{"a":{"command":"npx","args":["-y","a-mcp","/path/to/x"],"env":{"A_TOKEN":"<token>"}}}}`)
	}
	limit := max(3*time.Second, 60*time.Since(begin))
	fill := func(piece string, size int) string { return strings.Repeat(piece, size/len(piece)) }
	for name, text := range map[string]string{
		"braces":        fill("{", MaxSize),
		"brackets":      fill("[", MaxSize),
		"names":         fill(`"a":{`, MaxSize),
		"words":         fill("npx a ", MaxSize),
		"words in line": fill("npx a ", 60<<10),
		"lines":         fill("npx -y a-mcp\n", 60<<10),
		"fences":        fill("```\nnpx -y a-mcp\n", MaxSize),
		"blanks":        `{"mcpServers":{"a":{"command":"x","args":["` + fill("path/to/<a>", MaxSize/2) + `"]}}}`,
		"many args":     `{"mcpServers":{"a":{"command":"x","args":[` + fill(`"/path/to/x",`, MaxSize/2) + `]}}}`,
		"many env":      `{"mcpServers":{"a":{"command":"x","env":{` + manyNames(20000) + `}}}}`,
		"many servers":  `{"mcpServers":{` + manyServers(5000) + `}}`,
		"broken":        fill(`{"a" "b" `, maxRepaired),
		"broken quotes": fill(`{"command: "b" `, maxRepaired),
		"yaml":          "mcpServers:\n" + fill("  - command: a\n", MaxSize-100),
		"yaml deep":     "mcpServers:\n  - command: " + fill("[", MaxSize-100),
		"toml":          fill("[mcp_servers.a]\n", MaxSize),
		"dotted toml":   "[" + fill("a.", MaxSize) + "a]\ncommand = 1\n",
		"comments":      fill("/*", MaxSize),
		"slashes":       fill("/", MaxSize),
		"word slashes":  fill("a/", MaxSize),
		"addresses":     fill("https://a/mcp ", MaxSize),
		"percent":       fill("%a", MaxSize),
		"dollars":       fill("${a", 60<<10),
		"quotes":        fill(`"`, MaxSize),
		"smart quotes":  fill("“", MaxSize),
		"backslashes":   fill(`\`, 60<<10),
		"base64":        "cursor://x/install?name=a&config=" + fill("A", MaxSize/2),
	} {
		// Of three tries one must be fast enough: the others may have been disturbed by other programs.
		took := limit + 1
		for range 3 {
			if took > limit {
				begin := time.Now()
				_, _ = Parse(text[:min(len(text), MaxSize)])
				took = time.Since(begin)
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
		b.WriteString(`"A` + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + `_TOKEN` + strings.Repeat("1", i%9) + `":"",`)
	}
	return b.String()
}

func manyServers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"s` + strings.Repeat("x", i%50) + `":{"command":"npx","args":["-y","a-mcp` + strings.Repeat("b", i%100) + `"]},`)
	}
	return b.String()
}
