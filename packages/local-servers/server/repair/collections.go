package repair

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// collection is a row of the catalogue.
type collection struct {
	name, table string
	settings    settings
}

// settings and index are FerretDB's metadata.Settings and metadata.IndexInfo.
type settings struct {
	UUID            string  `json:"uuid"`
	Indexes         []index `json:"indexes"`
	CappedSize      int64   `json:"cappedSize"`
	CappedDocuments int64   `json:"cappedDocuments"`
}
type index struct {
	Name   string `json:"name"`
	Key    []key  `json:"key"`
	Unique bool   `json:"unique"`
}
type key struct {
	Field      string
	Descending bool
}

// idIndex is the index that every collection has.
var idIndex = index{Name: "_id_", Key: []key{{Field: "_id"}}, Unique: true}

// collections mends the collections of a database: tables and indexes that no row of the catalogue names are dropped, and
// rows that name indexes which are not there lose them. Only the index of the `_id`s is created instead.
func collections(tx *sql.Tx) (done []string, err error) {
	tables, err := column(tx, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
	if err != nil {
		return nil, err
	}
	if !slices.Contains(tables, catalogue) {
		if len(tables) > 0 {
			return nil, errors.New("it has tables, but none that names its collections")
		}
		return nil, errUnfinished
	}
	rows, err := read(tx)
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		if table == catalogue || slices.ContainsFunc(rows, func(c collection) bool { return c.table == table }) {
			continue
		}
		if _, err := tx.Exec(fmt.Sprintf("DROP TABLE %q", table)); err != nil {
			return nil, err
		}
		done = append(done, fmt.Sprintf("removed the table %q, which belongs to no collection", table))
	}
	for _, row := range rows {
		changes, err := indexes(tx, row)
		if err != nil {
			return nil, fmt.Errorf("collection %q: %w", row.name, err)
		}
		for _, change := range changes {
			done = append(done, fmt.Sprintf("collection %q: %s", row.name, change))
		}
	}
	return done, nil
}

// indexes mends the indexes of one collection.
func indexes(tx *sql.Tx, c collection) (done []string, err error) {
	made, err := column(tx, "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", c.table)
	if err != nil {
		return nil, err
	}
	nameOf := func(i index) string { return c.table + "_" + i.Name }
	isMade := func(i index) bool { return slices.Contains(made, nameOf(i)) }
	var kept []index
	for _, i := range c.settings.Indexes {
		if isMade(i) {
			kept = append(kept, i)
		} else {
			done = append(done, fmt.Sprintf("forgot the index %q, whose removal had begun", i.Name))
		}
	}
	if !slices.ContainsFunc(kept, func(i index) bool { return i.Name == idIndex.Name }) {
		kept = append([]index{idIndex}, kept...)
		if !isMade(idIndex) {
			removed, err := createIDIndex(tx, c.table, nameOf(idIndex))
			if err != nil {
				return nil, err
			}
			if removed > 0 {
				done = append(done, fmt.Sprintf("removed %d documents whose _id was taken by an earlier one", removed))
			}
		}
		done = append(done, "finished the index of its _ids")
	}
	for _, name := range made {
		if slices.ContainsFunc(kept, func(i index) bool { return nameOf(i) == name }) {
			continue
		}
		if _, err := tx.Exec(fmt.Sprintf("DROP INDEX %q", name)); err != nil {
			return nil, err
		}
		done = append(done, fmt.Sprintf("removed the index %q, which was not finished", name))
	}
	if len(done) == 0 {
		return nil, nil
	}
	c.settings.Indexes = kept
	if c.settings.UUID == "" {
		c.settings.UUID = uuid.NewString()
	}
	text, err := json.Marshal(c.settings)
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(fmt.Sprintf("UPDATE %q SET settings = ? WHERE table_name = ?", catalogue), string(text), c.table)
	return done, err
}

// createIDIndex makes the `_id`s of a table unique. With the index that was missing, later ones would have been refused.
func createIDIndex(tx *sql.Tx, table, name string) (removed int64, err error) {
	result, err := tx.Exec(fmt.Sprintf(
		`DELETE FROM %[1]q WHERE rowid NOT IN (SELECT MIN(rowid) FROM %[1]q GROUP BY _ferretdb_sjson->"_id")`, table))
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(fmt.Sprintf(`CREATE UNIQUE INDEX %q ON %q (_ferretdb_sjson->"_id")`, name, table)); err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func read(tx *sql.Tx) (all []collection, err error) {
	rows, err := tx.Query(fmt.Sprintf("SELECT name, table_name, settings FROM %q", catalogue))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c collection
		var text string
		if err := rows.Scan(&c.name, &c.table, &text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(text), &c.settings); err != nil {
			return nil, fmt.Errorf("settings of the collection %q: %w", c.name, err)
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

// column returns the first column of a query.
func column(tx *sql.Tx, query string, args ...any) (all []string, err error) {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
