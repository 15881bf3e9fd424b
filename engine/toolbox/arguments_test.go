package toolbox

import (
	"strings"
	"testing"
)

// Arguments are shown in the window, and to anybody who gets a screenshot of it.
func TestArgumentsWithoutSecrets(t *testing.T) {
	long := `{"password":"hunter2","nested":{"apiKey":"hunter2"},"text":"` + strings.Repeat("x", maxNoted) + `"}`
	for _, raw := range []string{long[:maxNoted]} {
		if got := maskArguments([]byte(raw), true, asItIs); strings.Contains(got, "hunter2") {
			t.Errorf("%.300s", got)
		}
	}
	for _, raw := range []string{
		`{"config":"{\"password\":\"hunter2\"}"}`,
		`{"headers":{"Authorization":"Bearer hunter2"}}`,
		`{"auth":{"user":"a","value":"hunter2"}}`,
		`{"credentials":["a","hunter2"]}`,
		`{"env":[{"name":"API_TOKEN","value":"hunter2"}]}`,
		`{"headers":[["Authorization","hunter2"]]}`,
		`{"args":["--password","hunter2"]}`,
		`{"command":"curl -u me:hunter2 https://me:hunter2@x/?token=hunter2"}`,
		`{"password":{"a":"hunter2"}}`,
	} {
		if got := maskArguments([]byte(raw), false, asItIs); strings.Contains(got, "hunter2") {
			t.Errorf("%s", got)
		}
	}
	for _, raw := range []string{`{"name":"Ada","value":"shown"}`, `["--verbose","shown"]`, `["a","shown"]`} {
		if got := maskArguments([]byte(raw), false, asItIs); got != raw {
			t.Errorf("%s is masked as %s", raw, got)
		}
	}
}
