package main

import (
	"io"
	"os"
	"strconv"
	"sync"
)

// maxLog is the size in bytes beyond which a log file is rotated, as that of a service is.
const maxLog = 10_000_000

// logFile writes to the file of a descriptor. Beyond max bytes it copies the file to ".1" and empties it, as the
// descriptor belongs to whoever started the process. An error of writing is nobody's: a full disk loses lines only.
type logFile struct {
	file *os.File
	max  int64
	lock sync.Mutex
}

func (l *logFile) Write(line []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if info, err := l.file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > l.max {
		l.rotate()
	}
	_, _ = l.file.Write(line)
	return len(line), nil
}

func (l *logFile) rotate() {
	path, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(l.file.Fd())))
	if err != nil {
		return // not Linux: the next start rotates
	}
	if copyFile(path, path+".1") != nil {
		_ = os.Remove(path + ".1") // no room for both
	}
	_ = l.file.Truncate(0)
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		_ = target.Close()
		return err
	}
	return target.Close()
}
