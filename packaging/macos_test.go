package packaging_test

import (
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/links"
)

// element is one of a property list: its kind, what is in it, and its text.
type element struct {
	XMLName  xml.Name
	Elements []element `xml:",any"`
	Text     string    `xml:",chardata"`
}

// value returns the value of an element of a property list: a map, a slice, a string or a bool.
func (e element) value(t *testing.T) any {
	t.Helper()
	switch e.XMLName.Local {
	case "dict":
		found := map[string]any{}
		for i := 0; i < len(e.Elements); i += 2 {
			key := e.Elements[i]
			if _, twice := found[key.Text]; key.XMLName.Local != "key" || twice || i+1 == len(e.Elements) {
				t.Fatalf("%q is twice there, has no value, or is not a key", key.Text)
			}
			found[key.Text] = e.Elements[i+1].value(t)
		}
		return found
	case "array":
		var found []any
		for _, inner := range e.Elements {
			found = append(found, inner.value(t))
		}
		return found
	case "string":
		return e.Text
	case "true", "false":
		return e.XMLName.Local == "true"
	}
	t.Fatalf("this test does not know <%s>", e.XMLName.Local)
	return nil
}

// TestBundleOfMacOS reads the description of the bundle as macOS would.
func TestBundleOfMacOS(t *testing.T) {
	decoder := xml.NewDecoder(strings.NewReader(read(t, "packaging", "macos", "Info.plist")))
	var list struct {
		XMLName xml.Name `xml:"plist"`
		Dict    element  `xml:"dict"`
	}
	if err := decoder.Decode(&list); err != nil {
		t.Fatal(err)
	}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if _, text := token.(xml.CharData); err != nil || !text {
			t.Fatalf("there is something behind it: %v, %v", token, err)
		}
	}
	bundle, ok := list.Dict.value(t).(map[string]any)
	if !ok {
		t.Fatal("it has no keys")
	}
	recipe := read(t, "packaging", "macos", "build")
	for key, want := range map[string]any{
		"CFBundleIdentifier":         id,
		"CFBundlePackageType":        "APPL",
		"CFBundleName":               find(t, read(t, "FyneApp.toml"), `^Name = "(.*)"$`),
		"CFBundleIconFile":           find(t, recipe, `Contents/Resources/(\w+)\.icns"`),
		"CFBundleShortVersionString": "@VERSION@",
		"CFBundleVersion":            "@BUILD@",
		"LSMinimumSystemVersion":     find(t, recipe, `MACOSX_DEPLOYMENT_TARGET=(\S+)`),
		"CFBundleURLTypes": []any{map[string]any{
			"CFBundleURLName":    id,
			"CFBundleURLSchemes": []any{links.Scheme},
		}},
		// The file name extension of a shared toolbox contains a dot, and macOS uses only the part after the
		// last one. Other programs come first for .json.
		"CFBundleDocumentTypes": []any{map[string]any{
			"CFBundleTypeName":   "Shared toolbox",
			"CFBundleTypeRole":   "Viewer",
			"LSHandlerRank":      "Alternate",
			"LSItemContentTypes": []any{"public.json"},
		}},
	} {
		if !reflect.DeepEqual(bundle[key], want) {
			t.Errorf("%s is %v, want %v", key, bundle[key], want)
		}
	}
}
