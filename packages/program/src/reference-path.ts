/** Paths of references to results, as judges and executors of listed calls read them. */

/**
 * `location.name`, `author[0].id`, `Exchange Rate` as keys; a number in brackets is an index. Where a name is
 * missing, its key is the empty text, which no output has.
 */
export function splitReferencePath(path: string): (string | number)[] {
  if (path === '') return []
  return path.split('.').flatMap((part, at) => {
    const [name = '', ...indices] = part.split('[')
    return [
      ...(name === '' && (at > 0 || indices.length === 0) ? [''] : name === '' ? [] : [name]),
      ...indices.map((index) => (/^\d{1,9}\]$/.test(index) ? Number.parseInt(index, 10) : '')),
    ]
  })
}
