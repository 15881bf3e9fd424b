package userpath

import (
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	const folder = `C:\Users\Jürgen O'Brien\AppData\Local\Programs\Workbench`
	long := strings.Repeat(`C:\a long name;`, 2000)
	for _, test := range []struct{ before, after string }{
		{"", folder},
		{`C:\bin`, `C:\bin;` + folder},
		{`C:\bin;`, `C:\bin;` + folder + ";"},
		{`%USERPROFILE%\bin;;"C:\a b"; D:\x\ `, `%USERPROFILE%\bin;;"C:\a b"; D:\x\ ;` + folder},
		{long, long + folder + ";"},
		{long + `C:\end`, long + `C:\end;` + folder},
	} {
		got, err := with(test.before, folder)
		if got != test.after || err != nil {
			t.Errorf("%.40q becomes %.200q, %v", test.before, got, err)
		}
		if again, _ := with(got, folder); again != got {
			t.Errorf("it is put in twice: %.200q", again)
		}
		if back := without(got, folder); back != test.before {
			t.Errorf("taken out of %.40q, it leaves %.200q", test.before, back)
		}
	}
	for _, spelt := range []string{strings.ToUpper(folder), folder + `\`, `"` + folder + `"`,
		strings.ReplaceAll(folder, `\`, "/")} {
		if got, _ := with(`C:\a;`+spelt, folder); got != `C:\a;`+spelt {
			t.Errorf("%q is put in beside another spelling", got)
		}
		if got := without(`C:\a;`+spelt+`;D:\b`, folder); got != `C:\a;D:\b` {
			t.Errorf("%q leaves %q", spelt, got)
		}
	}
	if got := without(`C:\a;`+folder+`\bin`, folder); got != `C:\a;`+folder+`\bin` {
		t.Errorf("another folder is taken out: %q", got)
	}
	for _, odd := range []string{`C:\a;b`, `C:\%x%`, `C:\a"b`} {
		if got, err := with("", odd); err == nil {
			t.Errorf("%q is put in as %q", odd, got)
		}
	}
}
