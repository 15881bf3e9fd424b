package locale

import (
	"runtime"
	"testing"
)

// TestNoFont: on a computer without a font for a language, that is known before its texts turn to boxes.
func TestNoFont(t *testing.T) {
	if runtime.GOOS != "linux" {
		return
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_DATA_DIRS", t.TempDir())
	for _, tag := range []string{"en", "de", "pt-BR"} {
		if !CanShow(tag) {
			t.Errorf("%s cannot be shown", tag)
		}
	}
	for tag, want := range map[string]rune{"ja": 'あ', "ja-JP": 'あ', "zh-Hans": '语', "zh-CN": '语', "fr": 0, "?": 0} {
		if got := sampleOf(tag); got != want {
			t.Errorf("%s needs %q, want %q", tag, got, want)
		}
	}
}
