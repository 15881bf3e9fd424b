package kit

import "testing"

func TestJoined(t *testing.T) {
	for got, want := range map[string]string{
		Together("It ended", "", "The log says why."): "It ended. The log says why.",
		Together("", "It ended."):                     "It ended.",
		Together("終了しました。", "ログを見てください"):              "終了しました。ログを見てください。",
		Facts("9 tools", "", "used today"):            "9 tools · used today",
		Way("dev", "files", "read"):                   "dev › files › read",
		Way(""):                                       "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
