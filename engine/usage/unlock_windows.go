package usage

import "os"

// unlock does nothing: the system gives the lock back with the file.
func unlock(*os.File) {}
