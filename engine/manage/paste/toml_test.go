package paste

import "testing"

func TestFromTOMLKeepsTheOrder(t *testing.T) {
	text := `b = 1
"a" = {z = 1, y = [{x = 1, w = 2}, {v = 3}]}
[servers.n]
c.q = "b"
c.p = 'a'
[[list]]
m = 1
[[list]]
l = 2
m = inf
[servers.a]
`
	want := `{"b":1,"a":{"z":1,"y":[{"x":1,"w":2},{"v":3}]},"servers":{"n":{"c":{"q":"b","p":"a"}},"a":{}},"list":[{"m":1},{"m":null,"l":2}]}`
	if got, err := FromTOML([]byte(text)); err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if _, err := FromTOML([]byte("a = ")); err == nil {
		t.Error("broken TOML is read")
	}
}
