/**
 * FerretDB's SQLite backend prepares a statement for each execution and formats two log lines for it, which
 * are never written. The changed backend keeps the prepared statements of a database
 * (docs/decisions/sandbox-cost.md).
 */
import type { SourceChange } from './change.ts'

const database = 'internal/util/fsql/db.go'

export const statements: readonly SourceChange[] = [
  {
    file: database,
    from: '	sqlDB     *sql.DB\n	l         *slog.Logger\n',
    to: `	sqlDB *sql.DB
	l     *slog.Logger

	prepared      map[string]*sql.Stmt
	preparedMutex sync.RWMutex

`,
  },
  {
    file: database,
    from: '// WrapDB creates a new DB.\n',
    to: `// maxPrepared bounds what a database keeps: a statement takes a few kilobytes for each connection.
const maxPrepared = 256

// maxPreparedArgs leaves statements out that depend on the number of documents.
const maxPreparedArgs = 4

// statement gives the prepared statement of a query, nil where it isn't kept.
func (db *DB) statement(ctx context.Context, query string, args []any) *sql.Stmt {
	if len(args) > maxPreparedArgs {
		return nil
	}

	db.preparedMutex.RLock()
	stmt, full := db.prepared[query], len(db.prepared) >= maxPrepared
	db.preparedMutex.RUnlock()

	if stmt != nil || full {
		return stmt
	}

	stmt, err := db.sqlDB.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil
	}

	db.preparedMutex.Lock()
	defer db.preparedMutex.Unlock()

	if first := db.prepared[query]; first != nil {
		_ = stmt.Close()
		return first
	}

	if db.prepared == nil {
		db.prepared = map[string]*sql.Stmt{}
	}

	db.prepared[query] = stmt

	return stmt
}

// WrapDB creates a new DB.
`,
  },
  {
    file: database,
    from: `	start := time.Now()

	fields := []any{slog.Any("args", args)}
	db.l.With(fields...).DebugContext(ctx, fmt.Sprintf(">>> %s", query))

	rows, err := db.sqlDB.QueryContext(ctx, query, args...)

	fields = append(fields, slog.Duration("time", time.Since(start)), logging.Error(err))
	db.l.With(fields...).DebugContext(ctx, fmt.Sprintf("<<< %s", query))

	return wrapRows(rows), err
`,
    to: `	if stmt := db.statement(ctx, query, args); stmt != nil {
		rows, err := stmt.QueryContext(ctx, args...)
		return wrapRows(rows), err
	}

	rows, err := db.sqlDB.QueryContext(ctx, query, args...)

	return wrapRows(rows), err
`,
  },
  {
    file: database,
    from: `	start := time.Now()

	fields := []any{slog.Any("args", args)}
	db.l.With(fields...).DebugContext(ctx, fmt.Sprintf(">>> %s", query))

	res, err := db.sqlDB.ExecContext(ctx, query, args...)

	if res != nil {
		ra, _ := res.RowsAffected()
		fields = append(fields, slog.Int64("rows", ra))
	}

	fields = append(fields, slog.Duration("time", time.Since(start)), logging.Error(err))
	db.l.With(fields...).DebugContext(ctx, fmt.Sprintf("<<< %s", query))

	return res, err
`,
    to: `	if stmt := db.statement(ctx, query, args); stmt != nil {
		return stmt.ExecContext(ctx, args...)
	}

	return db.sqlDB.ExecContext(ctx, query, args...)
`,
  },
]
