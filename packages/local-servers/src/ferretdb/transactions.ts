/**
 * FerretDB creates and drops a collection, and the indexes of one, in several statements that are committed
 * one by one. A process that is killed in between leaves a table without a name, whose collection can never
 * be created again, or a collection whose `_id`s are not unique. So does a full disk. Here each of these
 * commands is one transaction (docs/decisions/kills.md).
 */
import type { SourceChange } from './change.ts'

const registry = 'internal/backends/sqlite/metadata/registry.go'

export const transactions: readonly SourceChange[] = [
  // Create a collection: its table, its index and its name.
  {
    file: registry,
    from: `	if _, err = db.ExecContext(ctx, q); err != nil {
		return false, lazyerrors.Error(err)
	}

	q = fmt.Sprintf("INSERT INTO %q (name, table_name, settings) VALUES (?, ?, ?)", metadataTableName)
	if _, err = db.ExecContext(ctx, q, collectionName, tableName, "{}"); err != nil {
		_, _ = db.ExecContext(ctx, fmt.Sprintf("DROP TABLE %q", tableName))
		return false, lazyerrors.Error(err)
	}

	if r.colls[dbName] == nil {
		r.colls[dbName] = map[string]*Collection{}
	}
	r.colls[dbName][collectionName] = &Collection{
		Name:      collectionName,
		TableName: tableName,
		Settings: Settings{
			UUID:            uuid.NewString(),
			CappedSize:      params.CappedSize,
			CappedDocuments: params.CappedDocuments,
		},
	}

	err = r.indexesCreate(ctx, dbName, collectionName, []IndexInfo{{
		Name:   backends.DefaultIndexName,
		Key:    []IndexKeyPair{{Field: "_id"}},
		Unique: true,
	}})
	if err != nil {
		_, _ = r.collectionDrop(ctx, dbName, collectionName)
		return false, lazyerrors.Error(err)
	}

	return true, nil
`,
    to: `	c := &Collection{
		Name:      collectionName,
		TableName: tableName,
		Settings: Settings{
			UUID:            uuid.NewString(),
			Indexes:         []IndexInfo{{Name: backends.DefaultIndexName, Key: []IndexKeyPair{{Field: "_id"}}, Unique: true}},
			CappedSize:      params.CappedSize,
			CappedDocuments: params.CappedDocuments,
		},
	}

	err = db.InTransaction(ctx, func(tx *fsql.Tx) error {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return err
		}

		if err := createIndex(ctx, tx, tableName, c.Settings.Indexes[0]); err != nil {
			return err
		}

		q := fmt.Sprintf("INSERT INTO %q (name, table_name, settings) VALUES (?, ?, ?)", metadataTableName)
		_, err := tx.ExecContext(ctx, q, collectionName, tableName, c.Settings)

		return err
	})
	if err != nil {
		return false, lazyerrors.Error(err)
	}

	if r.colls[dbName] == nil {
		r.colls[dbName] = map[string]*Collection{}
	}
	r.colls[dbName][collectionName] = c

	return true, nil
`,
  },
  // Drop a collection: its name and its table.
  {
    file: registry,
    from: `	q := fmt.Sprintf("DELETE FROM %q WHERE name = ?", metadataTableName)
	if _, err := db.ExecContext(ctx, q, collectionName); err != nil {
		return false, lazyerrors.Error(err)
	}

	q = fmt.Sprintf("DROP TABLE %q", c.TableName)
	if _, err := db.ExecContext(ctx, q); err != nil {
		return false, lazyerrors.Error(err)
	}
`,
    to: `	err := db.InTransaction(ctx, func(tx *fsql.Tx) error {
		q := fmt.Sprintf("DELETE FROM %q WHERE name = ?", metadataTableName)
		if _, err := tx.ExecContext(ctx, q, collectionName); err != nil {
			return err
		}

		_, err := tx.ExecContext(ctx, fmt.Sprintf("DROP TABLE %q", c.TableName))

		return err
	})
	if err != nil {
		return false, lazyerrors.Error(err)
	}
`,
  },
  // Create indexes: all of them, and their names.
  {
    file: registry,
    from: `	created := make([]string, 0, len(indexes))

	for _, index := range indexes {
		if slices.ContainsFunc(c.Settings.Indexes, func(i IndexInfo) bool { return index.Name == i.Name }) {
			continue
		}

		q := "CREATE "

		if index.Unique {
			q += "UNIQUE "
		}

		q += "INDEX %q ON %q (%s)"

		columns := make([]string, len(index.Key))
		for i, key := range index.Key {
			fields := strings.Split(key.Field, ".")
			for j, f := range fields {
				fields[j] = fmt.Sprintf("%q", f)
			}

			columns[i] = fmt.Sprintf("%s->%s", DefaultColumn, strings.Join(fields, "->"))
			if key.Descending {
				columns[i] += " DESC"
			}
		}

		q = fmt.Sprintf(
			q,
			c.TableName+"_"+index.Name,
			c.TableName,
			strings.Join(columns, ", "),
		)

		if _, err := db.ExecContext(ctx, q); err != nil {
			_ = r.indexesDrop(ctx, dbName, collectionName, created)
			return lazyerrors.Error(err)
		}

		created = append(created, index.Name)
		c.Settings.Indexes = append(c.Settings.Indexes, index)
	}

	q := fmt.Sprintf("UPDATE %q SET settings = ? WHERE table_name = ?", metadataTableName)
	if _, err := db.ExecContext(ctx, q, c.Settings, c.TableName); err != nil {
		_ = r.indexesDrop(ctx, dbName, collectionName, created)
		return lazyerrors.Error(err)
	}

	r.colls[dbName][collectionName] = c

	return nil
}
`,
    to: `	err = db.InTransaction(ctx, func(tx *fsql.Tx) error {
		for _, index := range indexes {
			if slices.ContainsFunc(c.Settings.Indexes, func(i IndexInfo) bool { return index.Name == i.Name }) {
				continue
			}

			if err := createIndex(ctx, tx, c.TableName, index); err != nil {
				return err
			}

			c.Settings.Indexes = append(c.Settings.Indexes, index)
		}

		return storeSettings(ctx, tx, c)
	})
	if err != nil {
		return lazyerrors.Error(err)
	}

	r.colls[dbName][collectionName] = c

	return nil
}

func createIndex(ctx context.Context, tx *fsql.Tx, tableName string, index IndexInfo) error {
	q := "CREATE "

	if index.Unique {
		q += "UNIQUE "
	}

	q += "INDEX %q ON %q (%s)"

	columns := make([]string, len(index.Key))
	for i, key := range index.Key {
		fields := strings.Split(key.Field, ".")
		for j, f := range fields {
			fields[j] = fmt.Sprintf("%q", f)
		}

		columns[i] = fmt.Sprintf("%s->%s", DefaultColumn, strings.Join(fields, "->"))
		if key.Descending {
			columns[i] += " DESC"
		}
	}

	_, err := tx.ExecContext(ctx, fmt.Sprintf(q, tableName+"_"+index.Name, tableName, strings.Join(columns, ", ")))

	return err
}

func storeSettings(ctx context.Context, tx *fsql.Tx, c *Collection) error {
	q := fmt.Sprintf("UPDATE %q SET settings = ? WHERE table_name = ?", metadataTableName)
	_, err := tx.ExecContext(ctx, q, c.Settings, c.TableName)

	return err
}
`,
  },
  // Drop indexes: all of them, and their names.
  {
    file: registry,
    from: `	for _, name := range indexNames {
		i := slices.IndexFunc(c.Settings.Indexes, func(i IndexInfo) bool { return name == i.Name })
		if i < 0 {
			continue
		}

		q := fmt.Sprintf("DROP INDEX %q", c.TableName+"_"+name)
		if _, err := db.ExecContext(ctx, q); err != nil {
			return lazyerrors.Error(err)
		}

		c.Settings.Indexes = slices.Delete(c.Settings.Indexes, i, i+1)
	}

	q := fmt.Sprintf("UPDATE %q SET settings = ? WHERE table_name = ?", metadataTableName)
	if _, err := db.ExecContext(ctx, q, c.Settings, c.TableName); err != nil {
		return lazyerrors.Error(err)
	}
`,
    to: `	err := db.InTransaction(ctx, func(tx *fsql.Tx) error {
		for _, name := range indexNames {
			i := slices.IndexFunc(c.Settings.Indexes, func(i IndexInfo) bool { return name == i.Name })
			if i < 0 {
				continue
			}

			if _, err := tx.ExecContext(ctx, fmt.Sprintf("DROP INDEX %q", c.TableName+"_"+name)); err != nil {
				return err
			}

			c.Settings.Indexes = slices.Delete(c.Settings.Indexes, i, i+1)
		}

		return storeSettings(ctx, tx, c)
	})
	if err != nil {
		return lazyerrors.Error(err)
	}
`,
  },
  // Drop a database: queries that still run keep its log and its shared memory, which the next one of that
  // name must not find.
  {
    file: 'internal/backends/sqlite/metadata/pool/pool.go',
    from: `				logging.Error(err),
			)
		}
	}

	p.l.DebugContext(ctx, "Database dropped"`,
    to: `				logging.Error(err),
			)
		} else {
			_ = os.Remove(f + "-wal")
			_ = os.Remove(f + "-shm")
		}
	}

	p.l.DebugContext(ctx, "Database dropped"`,
  },
]
