package toolbox

import (
	"encoding/json"
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

// The name of a variable or header may be beside its value, as "name" or "key".
func TestNamedValuesAreMasked(t *testing.T) {
	for _, name := range []string{"name", "key"} {
		value := json.RawMessage(`{"` + name + `":"API_TOKEN","value":"hunter2hunter2"}`)
		if got := string(appendMasked(nil, "", value, 0)); strings.Contains(got, "hunter2") {
			t.Errorf("%s becomes %s", value, got)
		}
	}
	value := json.RawMessage(`{"other":"API_TOKEN","value":"plain words"}`)
	if got := string(appendMasked(nil, "", value, 0)); !strings.Contains(got, "plain words") {
		t.Errorf("%s becomes %s", value, got)
	}
}

// Values that are nested too deeply are not shown, in arrays as in objects.
func TestDepthIsBounded(t *testing.T) {
	for _, pair := range [][2]string{{"[", "]"}, {`{"x":`, "}"}} {
		deep := func(depth int) string {
			value := json.RawMessage(strings.Repeat(pair[0], depth) + `"inside"` + strings.Repeat(pair[1], depth))
			return string(appendMasked(nil, "", value, 0))
		}
		if got := deep(maxDepth); !strings.Contains(got, "inside") {
			t.Errorf("at depth %d: %s", maxDepth, got)
		}
		if got := deep(maxDepth + 1); strings.Contains(got, "inside") {
			t.Errorf("at depth %d: %s", maxDepth+1, got)
		}
	}
}
