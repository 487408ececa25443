/**
 * How FerretDB's SQLite backend writes (docs/decisions/one-program.md).
 *
 * An insert was three statements: BEGIN, INSERT, COMMIT, each with a goroutine that watches whether the
 * client leaves. All documents of a command go into one INSERT, which SQLite stores whole or not at all, so
 * here it stands alone.
 *
 * SQLite lets one connection write at a time; others sleep for milliseconds and try again. Here the writers
 * of a database wait for a lock, which wakes them.
 */
import type { Change } from './change.ts'

const collection = 'internal/backends/sqlite/collection.go'

const database = 'internal/util/fsql/db.go'

export const writes: readonly Change[] = [
  {
    file: collection,
    from: 'import (\n	"context"\n',
    to: 'import (\n	"context"\n	"database/sql"\n',
  },
  {
    file: collection,
    from: `	err := db.InTransaction(ctx, func(tx *fsql.Tx) error {
		batchSize := c.r.BatchSize
		if batchSize < 1 {
			panic("batch-size should be greater or equal to 1")
		}

		var batch []*types.Document
		docs := params.Docs

		for len(docs) > 0 {
			i := min(batchSize, len(docs))
			batch, docs = docs[:i], docs[i:]

			q, args, err := prepareInsertStatement(meta.TableName, meta.Capped(), batch)
			if err != nil {
				return lazyerrors.Error(err)
			}

			if _, err = tx.ExecContext(ctx, q, args...); err != nil {
				var se *sqlite3.Error
				if errors.As(err, &se) && se.Code() == sqlite3lib.SQLITE_CONSTRAINT_UNIQUE {
					return backends.NewError(backends.ErrorCodeInsertDuplicateID, err)
				}

				return lazyerrors.Error(err)
			}
		}

		return nil
	})
	if err != nil {
		return nil, err
	}
`,
    to: `	batchSize := c.r.BatchSize
	if batchSize < 1 {
		panic("batch-size should be greater or equal to 1")
	}

	// a command that has begun is carried out, also where its client leaves
	ctx = context.WithoutCancel(ctx)

	insert := func(exec func(context.Context, string, ...any) (sql.Result, error), batch []*types.Document) error {
		q, args, err := prepareInsertStatement(meta.TableName, meta.Capped(), batch)
		if err != nil {
			return lazyerrors.Error(err)
		}

		if _, err = exec(ctx, q, args...); err != nil {
			var se *sqlite3.Error
			if errors.As(err, &se) && se.Code() == sqlite3lib.SQLITE_CONSTRAINT_UNIQUE {
				return backends.NewError(backends.ErrorCodeInsertDuplicateID, err)
			}

			return lazyerrors.Error(err)
		}

		return nil
	}

	var err error
	if n := len(params.Docs); 0 < n && n <= batchSize {
		err = insert(db.ExecContext, params.Docs)
	} else {
		err = db.InTransaction(ctx, func(tx *fsql.Tx) error {
			for docs := params.Docs; len(docs) > 0; {
				i := min(batchSize, len(docs))
				if err := insert(tx.ExecContext, docs[:i]); err != nil {
					return err
				}

				docs = docs[i:]
			}

			return nil
		})
	}

	if err != nil {
		return nil, err
	}
`,
  },
  {
    file: database,
    from: '	"log/slog"\n	"time"\n',
    to: '	"log/slog"\n	"sync"\n	"time"\n',
  },
  {
    file: database,
    from: '	BatchSize int\n}\n',
    to: '	BatchSize int\n	writing   sync.Mutex\n}\n',
  },
  {
    file: database,
    from: `func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
`,
    to: `func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	db.writing.Lock()
	defer db.writing.Unlock()

`,
  },
  {
    file: database,
    from: `func (db *DB) InTransaction(ctx context.Context, f func(*Tx) error) (err error) {
`,
    to: `func (db *DB) InTransaction(ctx context.Context, f func(*Tx) error) (err error) {
	db.writing.Lock()
	defer db.writing.Unlock()

`,
  },
]
