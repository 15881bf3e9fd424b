package notify

import (
	"errors"
	"unicode/utf16"
	"unsafe"

	"fyne.io/fyne/v2"
	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// Presenter shows notifications at the program's icon in the tray. Windows shows them as it shows all others. Fyne
// would run a script with PowerShell for each, under a name that Windows does not know, which is slow and looks like
// malware.
type Presenter struct{}

// NewPresenter returns a Presenter.
func NewPresenter(fyne.App, *tray.Host, string) *Presenter { return &Presenter{} }

// Close does nothing; other systems need it.
func (p *Presenter) Close() {}

// Show shows a notification. It ignores the last two arguments: such notifications have no buttons, and a click opens
// the window, as a click on the icon does.
func (p *Presenter) Show(title, text string, _ Notice, _ func(Answer)) error {
	window := trayWindow()
	if window == 0 {
		return errors.New("the program has no icon in the tray")
	}
	data := iconData{window: window, id: trayIcon, flags: flagInfo, infoFlags: infoUser}
	data.size = uint32(unsafe.Sizeof(data))
	fill(data.infoTitle[:], title)
	fill(data.info[:], text)
	const modify = 1 // NIM_MODIFY
	if ok, _, err := shellNotifyIcon.Call(modify, uintptr(unsafe.Pointer(&data))); ok == 0 {
		return err
	}
	return nil
}

// iconData is NOTIFYICONDATAW.
type iconData struct {
	size                uint32
	window              windows.Handle
	id, flags, callback uint32
	icon                windows.Handle
	tip                 [128]uint16
	state, stateMask    uint32
	info                [256]uint16
	version             uint32
	infoTitle           [64]uint16
	infoFlags           uint32
	guid                windows.GUID
	balloon             windows.Handle
}

const (
	trayClass = "SystrayClass" // of the window that the library for the tray makes
	trayIcon  = 100            // of its icon
	flagInfo  = 0x10           // NIF_INFO
	infoUser  = 0x4            // NIIF_USER: with the icon of the tray
)

var (
	shellNotifyIcon = windows.NewLazySystemDLL("shell32.dll").NewProc("Shell_NotifyIconW")
	findWindow      = windows.NewLazySystemDLL("user32.dll").NewProc("FindWindowExW")
)

// trayWindow returns the window of this program's icon; 0 if there is none.
func trayWindow() windows.Handle {
	class, err := windows.UTF16PtrFromString(trayClass)
	if err != nil {
		return 0
	}
	for window := uintptr(0); ; {
		window, _, _ = findWindow.Call(0, window, uintptr(unsafe.Pointer(class)), 0)
		var pid uint32
		if window == 0 {
			return 0
		}
		if _, err := windows.GetWindowThreadProcessId(windows.HWND(window), &pid); err == nil &&
			pid == windows.GetCurrentProcessId() {
			return windows.Handle(window)
		}
	}
}

// fill puts a text into a field of a fixed size, which ends with a zero.
func fill(field []uint16, text string) {
	units := utf16.Encode([]rune(text))
	if most := len(field) - 1; len(units) > most {
		units = append(units[:most-1:most-1], '…')
		if before := units[most-2]; before >= 0xd800 && before < 0xdc00 { // half of a character
			units = append(units[:most-2], '…')
		}
	}
	copy(field, units)
}
