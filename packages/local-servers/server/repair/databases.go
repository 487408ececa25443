// Package repair mends the files of the embedded servers before they open them. A process that is killed, or a machine that
// dies, leaves commands half done. Whatever was acknowledged stays; what was being dropped is gone afterwards, and what was
// being created is either gone or complete.
package repair

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver that FerretDB uses
)

const (
	extension = ".sqlite"
	// catalogue is the table of a database that names its collections. FerretDB creates it first.
	catalogue = "_ferretdb_collections"
)

// Files that SQLite keeps beside a database.
var companions = []string{"-wal", "-shm", "-journal"}

// Databases mends FerretDB's SQLite files in dir. FerretDB does not start on one whose creation was cut short, however many
// others there are. The caller makes sure that nobody else has them open.
// It returns a line for each thing that it did.
func Databases(dir string) (done []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+extension))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), extension)
		mended, err := database(file)
		if errors.Is(err, errUnfinished) {
			err = remove(file)
			mended = []string{"removed what was left of its creation"}
		}
		if err != nil {
			return done, fmt.Errorf("cannot read the database %q in %s: %w; move the file away or restore it from a backup, then start again: the other databases do not depend on it", name, file, err)
		}
		for _, line := range mended {
			done = append(done, fmt.Sprintf("database %q: %s", name, line))
		}
	}
	return done, removeOrphans(dir)
}

// errUnfinished tells that nothing was ever stored in a database.
var errUnfinished = errors.New("its creation was not finished")

func database(file string) (done []string, err error) {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if done, err = collections(tx); err != nil || len(done) == 0 {
		return done, err
	}
	return done, tx.Commit()
}

// remove removes a database; its companions last, as they mean nothing without it.
func remove(file string) error {
	if err := os.Remove(file); err != nil {
		return err
	}
	return removeCompanions(file)
}

func removeCompanions(file string) error {
	for _, companion := range companions {
		if err := os.Remove(file + companion); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// removeOrphans removes what a dropped database has left beside itself.
func removeOrphans(dir string) error {
	for _, companion := range companions {
		files, err := filepath.Glob(filepath.Join(dir, "*"+extension+companion))
		if err != nil {
			return err
		}
		for _, file := range files {
			database := strings.TrimSuffix(file, companion)
			if _, err := os.Stat(database); errors.Is(err, os.ErrNotExist) {
				if err := removeCompanions(database); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
