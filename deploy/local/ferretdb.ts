/**
 * What is changed in FerretDB before it is built. Its SQLite backend has a unique index on `_id` that none of its own
 * queries can use, as they write the expression in another way: every find, update and delete by `_id` reads the whole
 * collection. And it narrows down filters that are nothing but `{_id: x}`. Each change keeps what a command answers: the
 * rows are still held against the whole filter (docs/decisions/coordinator.md). It also notes the stack of whoever opens a
 * statement, a cursor or a connection, for a profile that nobody reads: 7% of its time (docs/decisions/replays.md).
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

export const ferretdb = 'github.com/FerretDB/FerretDB'

interface Change {
  file: string
  /** Stands there once. */
  from: string
  to: string
}
export const changes: readonly Change[] = [
  {
    file: 'internal/backends/sqlite/metadata/metadata.go',
    from: `IDColumn = DefaultColumn + "->'$._id'"`,
    // As the index is made: see indexesCreate.
    to: 'IDColumn = DefaultColumn + `->"_id"`',
  },
  {
    file: 'internal/backends/sqlite/collection.go',
    from: `	if params.Filter.Len() == 1 {
		v, _ := params.Filter.Get("_id")
		switch v.(type) {
		case string, types.ObjectID:
			whereClause = fmt.Sprintf(\` WHERE %s = ?\`, metadata.IDColumn)
			args = []any{string(must.NotFail(sjson.MarshalSingleValue(v)))}
		}
	}

	q += whereClause
`,
    to: `	if params.Filter.Has("_id") {
		v, _ := params.Filter.Get("_id")
		switch v := v.(type) {
		case string, types.ObjectID:
			whereClause = fmt.Sprintf(\` WHERE %s = ?\`, metadata.IDColumn)
			args = []any{string(must.NotFail(sjson.MarshalSingleValue(v)))}
		case *types.Document:
			whereClause, args = whereIDIn(v)
		}
	}

	q += whereClause
`,
  },
  {
    file: 'internal/backends/sqlite/collection.go',
    from: '// InsertAll implements backends.Collection interface.\n',
    to: `// whereIDIn narrows {_id: {$in: [...]}} down; it gives nothing where the index can't tell, or SQLite takes no more parameters.
func whereIDIn(expression *types.Document) (string, []any) {
	v, _ := expression.Get("$in")
	ids, ok := v.(*types.Array)
	if !ok || ids.Len() == 0 || ids.Len() > 10_000 {
		return "", nil
	}

	args := make([]any, ids.Len())
	for i := range args {
		switch id := must.NotFail(ids.Get(i)).(type) {
		case string, types.ObjectID:
			args[i] = string(must.NotFail(sjson.MarshalSingleValue(id)))
		default:
			return "", nil
		}
	}

	return fmt.Sprintf(\` WHERE %s IN (?%s)\`, metadata.IDColumn, strings.Repeat(", ?", len(args)-1)), args
}

// InsertAll implements backends.Collection interface.
`,
  },
  {
    file: 'internal/util/resource/resource.go',
    from: '	p.Add(token, 1)\n',
    to: '',
  },
]

/** Copies FerretDB's sources and changes them. Rejects where they are not those that the changes were made for. */
export async function changedFerretdb(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const file = relative(source, path)
    // Go keeps its copy read-only, and ours has to go again: contents alone are copied.
    await mkdir(dirname(join(target, file)), { recursive: true })
    const own = changes.filter((change) => change.file === file)
    await writeFile(join(target, file), own.length ? changed(await readFile(path, 'utf8'), own) : await readFile(path))
  }
}

function changed(text: string, own: readonly Change[]): string {
  for (const { file, from, to } of own) {
    if (text.split(from).length !== 2) throw new Error(`${ferretdb}: ${file} is not the one that deploy/local/ferretdb.ts changes`)
    text = text.replace(from, () => to)
  }
  return text
}
