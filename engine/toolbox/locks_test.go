package toolbox

import (
	"reflect"
	"testing"
)

// TestLocksAreLeaves checks the last rule of the order of locks, see [boxes]: a part that is used while boxes.mu is
// held knows nothing of the boxes. So it cannot take their lock while its own is held.
func TestLocksAreLeaves(t *testing.T) {
	parts := []any{listReporter{}, references{}, consents{}, journal{}, lastLists{}, owners{}, recorder{}, listCache{},
		subscriptions{}, watchers{}}
	for _, part := range parts {
		if way := wayTo(reflect.TypeOf(part), reflect.TypeFor[boxes](), map[reflect.Type]bool{}); way != "" {
			t.Errorf("%T has a lock of its own and knows the boxes: %s", part, way)
		}
	}
	if wayTo(reflect.TypeFor[permissions](), reflect.TypeFor[boxes](), map[reflect.Type]bool{}) == "" {
		t.Error("the boxes are not found where they are; the test looks at the wrong thing")
	}
}

// wayTo returns through which fields a type reaches another one of this package, "" when it does not.
func wayTo(from, to reflect.Type, passed map[reflect.Type]bool) string {
	if from == to {
		return from.Name()
	}
	if passed[from] {
		return ""
	}
	passed[from] = true
	switch from.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Chan:
		return wayTo(from.Elem(), to, passed)
	case reflect.Struct:
		for i := range from.NumField() {
			if way := wayTo(from.Field(i).Type, to, passed); way != "" {
				return from.Name() + "." + from.Field(i).Name + ", " + way
			}
		}
	}
	return ""
}
