package downstream

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestByteOrderMark: the output of some .NET programs begins with a byte order mark.
func TestByteOrderMark(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{ByteOrderMark: true}))
	if len(s.Tools()) != 1 {
		t.Errorf("the tools are %v", s.Tools())
	}
}

// TestRefusalsWithoutSecrets: servers that refuse a key often repeat it.
func TestRefusalsWithoutSecrets(t *testing.T) {
	const planted = "planted-in-env"
	for _, script := range []fakeserver.Script{
		{InitializeError: json.RawMessage(`{"code":-32000,"message":"invalid key ` + planted + `"}`)},
		{ListError: json.RawMessage(`{"code":-32000,"message":"invalid key ` + planted + `"}`)},
	} {
		o := options(t, script)
		o.Server.Env = append(o.Server.Env, config.Variable{Name: "API_TOKEN", Value: planted})
		_, err := Connect(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "invalid key") || strings.Contains(err.Error(), planted) {
			t.Errorf("the error is %v", err)
		}
	}
}
