package paths

import "testing"

func TestHomeWhereItIsNotSet(t *testing.T) {
	env := func(values map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) {
			value, ok := values[name]
			return value, ok
		}
	}
	bare := map[string]string{"USERPROFILE": `C:\Users\ada`}
	bash := map[string]string{"USERPROFILE": `C:\Users\ada`, "HOME": `D:\home`}
	for _, test := range []struct {
		goos, name string
		values     map[string]string
		want       string
		set        bool
	}{
		{"windows", "HOME", bare, `C:\Users\ada`, true}, {"windows", "HOME", bash, `D:\home`, true},
		{"windows", "HOME", nil, "", false},
		{"windows", "HOMEPATH", bare, "", false}, {"linux", "HOME", bare, "", false},
		{"windows", "USERPROFILE", bash, `C:\Users\ada`, true},
	} {
		if got, ok := lookupEnv(test.goos, env(test.values), test.name); got != test.want || ok != test.set {
			t.Errorf("%s: %s of %v is %q, %v", test.goos, test.name, test.values, got, ok)
		}
	}
}
