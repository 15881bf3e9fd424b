package packaging_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
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

// properties reads a property list as macOS would.
func properties(t *testing.T, text string) map[string]any {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
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
	found, ok := list.Dict.value(t).(map[string]any)
	if !ok {
		t.Fatal("it has no keys")
	}
	return found
}

// described returns the description of an app as the recipe makes it.
func described(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := exec.Command("bash", filepath.Join("macos", "plist"), name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return properties(t, string(text))
}

// TestBundleOfMacOS reads the descriptions of the app and of the engine inside it.
func TestBundleOfMacOS(t *testing.T) {
	recipe, about := read(t, "packaging", "macos", "build"), read(t, "FyneApp.toml")
	usual := map[string]any{
		"CFBundlePackageType":        "APPL",
		"CFBundleIconFile":           find(t, recipe, `Contents/Resources/(\w+)\.icns"`),
		"CFBundleShortVersionString": find(t, about, `^Version = "(.*)"$`),
		"CFBundleVersion":            find(t, about, `^Build = (.*)$`),
		"LSMinimumSystemVersion":     find(t, recipe, `MACOSX_DEPLOYMENT_TARGET=(\S+)`),
	}
	for file, want := range map[string]map[string]any{
		"Info.plist": {
			"CFBundleIdentifier": id,
			"CFBundleName":       find(t, about, `^Name = "(.*)"$`),
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
		},
		// It has a name of its own in the lists of permissions, and no icon in the Dock.
		"Engine.plist": {"CFBundleIdentifier": id + ".Engine", "CFBundleName": "Workbench Engine", "LSUIElement": true},
	} {
		bundle := described(t, file)
		for _, wanted := range []map[string]any{usual, want} {
			for key, want := range wanted {
				if !reflect.DeepEqual(bundle[key], want) {
					t.Errorf("%s: %s is %v, want %v", file, key, bundle[key], want)
				}
			}
		}
		// Without such a sentence macOS ends a program that asks, or refuses without a question.
		for _, what := range []string{
			"AppleEvents", "Calendars", "CalendarsFullAccess", "Contacts", "Reminders", "RemindersFullAccess", "LocalNetwork",
			"DesktopFolder", "DocumentsFolder",
			"DownloadsFolder", "RemovableVolumes", "NetworkVolumes", "FileProviderDomain", "PhotoLibrary", "Camera",
			"Microphone", "BluetoothAlways",
		} {
			if text, _ := bundle["NS"+what+"UsageDescription"].(string); text == "" {
				t.Errorf("%s does not say why %s is used", file, what)
			}
		}
		for key, value := range bundle {
			if text, ok := value.(string); ok && strings.Contains(text, "@") {
				t.Errorf("%s: %s is %q", file, key, text)
			}
		}
	}
}

// TestSigningOfMacOS checks that the rights of the hardened runtime can be read, and that the recipe signs with them.
func TestSigningOfMacOS(t *testing.T) {
	rights := properties(t, read(t, "packaging", "macos", "entitlements.plist"))
	for _, right := range []string{"automation.apple-events", "personal-information.addressbook",
		"personal-information.calendars"} {
		if rights["com.apple.security."+right] != true {
			t.Errorf("servers cannot ask for %s", right)
		}
	}
	recipe := read(t, "packaging", "macos", "build")
	inner, outer := strings.Index(recipe, "\nsign \"$engine\""), strings.Index(recipe, "\nsign \"$app\"")
	if inner < 0 || outer < inner {
		t.Error("what is inside is not signed first")
	}
	find(t, recipe, `(--options runtime --entitlements packaging/macos/entitlements\.plist)`)
	find(t, recipe, `(notarytool submit)`)
}

// TestEngineOfMacOS checks that the program finds the engine where the recipe puts it, and the other way round.
func TestEngineOfMacOS(t *testing.T) {
	inside := find(t, read(t, "packaging", "macos", "build"), `^engine="\$app(/.*)"$`)
	window, engine := "/Applications/Workbench.app/Contents/MacOS/workbench-desktop",
		"/Applications/Workbench.app"+inside+"/Contents/MacOS/workbench-engine"
	if got := paths.Beside(window, "workbench-engine"); !slices.Contains(got, engine) {
		t.Errorf("the engine is looked for at %q", got)
	}
	if got := paths.Beside(engine, "workbench-desktop"); !slices.Contains(got, window) {
		t.Errorf("the program with the window is looked for at %q", got)
	}
}
