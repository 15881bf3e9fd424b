package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSeenIn: a session works in a folder, in those below, and where links lead; not beside it, nor above.
func TestSeenIn(t *testing.T) {
	home := t.TempDir()
	shop := filepath.Join(home, "work", "shop")
	linked := filepath.Join(home, "linked")
	for _, err := range []error{os.MkdirAll(filepath.Join(shop, "api"), 0o700),
		os.Mkdir(filepath.Join(home, "work", "shop2"), 0o700), os.Symlink(shop, linked)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	lookup := Lookup{Env: func(name string) (string, bool) { return home, name == "HOME" || name == "PROJECT" }}
	for _, tt := range []struct {
		limit, folder string
		want          bool
	}{
		{shop, shop, true},
		{shop, filepath.Join(shop, "api"), true},
		{shop, filepath.Join(linked, "api"), true},
		{linked, shop, true},
		{shop + "/", shop, true},
		{"~/work/shop", shop, true},
		{"~", shop, true},
		{"${PROJECT}/work", shop, true},
		{"/", shop, true},
		{shop, filepath.Join(home, "work", "shop2"), false},
		{shop, filepath.Join(home, "work"), false},
		{shop, filepath.Join(shop, "..", "shop2"), false},
		{"${NOT_SET}/work/shop", shop, false},
		{"", shop, false},
	} {
		if got := (&Toolbox{Folders: []string{"/nowhere", tt.limit}}).SeenIn(lookup, []string{tt.folder}); got != tt.want {
			t.Errorf("%s in %s: %t", tt.folder, tt.limit, got)
		}
	}
	for i, tt := range []struct {
		limits, folders []string
		want            bool
	}{{[]string{"/"}, nil, false}, {[]string{}, []string{shop}, false}, {nil, nil, true}} {
		if got := (&Toolbox{Folders: tt.limits}).SeenIn(lookup, tt.folders); got != tt.want {
			t.Errorf("%d: %t", i, got)
		}
	}
}
