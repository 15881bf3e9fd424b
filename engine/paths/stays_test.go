package paths

import "testing"

func TestStays(t *testing.T) {
	mac := Folders{OS: "darwin", Home: "/Users/Ju\u0308rgen O'Brien"}
	const inside = "/Workbench.app/Contents/MacOS/workbench-desktop"
	for folder, want := range map[string]bool{
		"/Applications": true, "/Users/J\u00fcrgen O'Brien/Applications": true, "/opt/tools": true,
		"/Users/J\u00fcrgen O'Brien/Downloads2": true,
		"/Users/J\u00fcrgen O'Brien/Downloads":  false, "/Users/Ju\u0308rgen O'Brien/downloads/new": false,
		"/Users/J\u00fcrgen O'Brien/Desktop":     false,
		"/Users/J\u00fcrgen O'Brien/Documents/x": false, "/Volumes/Workbench": false,
		"/Users/J\u00fcrgen O'Brien/.Trash":                                       false,
		"/private/var/folders/x/T/AppTranslocation/4711/d":                        false,
		"/Users/J\u00fcrgen O'Brien/Library/Mobile Documents/com~apple~CloudDocs": false,
	} {
		if err := mac.Stays(folder + inside); (err == nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
	if err := (Folders{OS: "linux", Home: "/home/ada"}).Stays(
		"/home/ada/Downloads/workbench/workbench-desktop"); err != nil {
		t.Errorf("on Linux people keep programs where they want: %v", err)
	}
	if err := (Folders{OS: "darwin"}).Stays("/Applications" + inside); err != nil {
		t.Errorf("without a home: %v", err)
	}
}
