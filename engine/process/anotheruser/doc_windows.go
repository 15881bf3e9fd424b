// Package anotheruser has nothing for Windows, where a test cannot be another user.
package anotheruser
