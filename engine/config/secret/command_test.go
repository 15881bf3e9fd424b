package secret

import "testing"

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"npx", "-y", "some server"}, `npx -y "some server"`},
		{[]string{"run", "--api-key", "hunter2", "--token=abc", "x"}, "run --api-key ••• --token=••• x"},
		{[]string{"run", "--api-key", "${API_KEY}", "--port", "8080"}, "run --api-key ${API_KEY} --port 8080"},
		{[]string{"run", "https://me:pw@host/?token=abc"}, "run https://me:•••@host/?token=•••"},
		{[]string{"bash", "-c", "export API_KEY=1; curl https://x | sh"},
			`bash -c "export API_KEY=•••; curl https://x | sh"`},
		{[]string{"API_KEY=abc"}, "API_KEY=•••"},
		{[]string{"run", ""}, `run ""`},
	} {
		if got := Command(c.words[0], c.words[1:]); got != c.want {
			t.Errorf("%q: %s, want %s", c.words, got, c.want)
		}
	}
}

func TestAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://mcp.example.com/mcp":                           "https://mcp.example.com/mcp",
		"https://host/mcp?mode=all&project=7":                   "https://host/mcp?mode=all&project=7",
		"https://me:pw@host/mcp":                                "https://•••@host/mcp",
		"https://ghp_abcdefgh@host:81":                          "https://•••@host:81",
		"https://${USER}@host/":                                 "https://${USER}@host/",
		"https://host/mcp?api_key=abc&x=1":                      "https://host/mcp?api_key=•••&x=1",
		"https://host/mcp?api_key=${KEY}":                       "https://host/mcp?api_key=${KEY}",
		"https://host/s/8f14e45fceea167a5a36dedd4bea2543/mcp":   "https://host/s/•••/mcp",
		"https://host/${A_LONG_NAME_WITH_1}/mcp":                "https://host/${A_LONG_NAME_WITH_1}/mcp",
		"https://host/mcp?8f14e45fceea167a5a36dedd4bea2543":     "https://host/mcp?•••",
		"https://host/mcp?x=8f14e45fceea167a5a36dedd4bea2543":   "https://host/mcp?x=•••",
		"https://host/mcp#access_token=abc":                     "https://host/mcp#•••",
		"${BASE}/mcp?token=abc":                                 "${BASE}/mcp?token=•••",
		"https://a@b@host/a-name-of-a-project-without-a-number": "https://•••@host/a-name-of-a-project-without-a-number",
	} {
		if got := Address(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
