/**
 * The assignment of predictions to golden calls that maximises the sum of their similarities (the paper's
 * equation 1): the Hungarian method over integers, so that sums are exact. Of several best assignments the
 * first in dictionary order is taken: prediction 0 gets the earliest golden call that any best assignment
 * gives it, then prediction 1, and so on; no golden call comes last.
 */

/** Similarities are compared in steps of this size: sums of integers below 2^53 have no rounding. */
const unit = 2 ** -40

/**
 * @param similarities a row for each prediction, a column for each golden call, from -1 to 1
 * @returns for each prediction the place of its golden call; null where there are more predictions than
 *   golden calls
 */
export function assignRows(similarities: readonly (readonly number[])[]): (number | null)[] {
  const rows = similarities.length
  const columns = similarities[0]?.length ?? 0
  const size = Math.max(rows, columns)
  // Padding has one cost everywhere, so it decides nothing.
  const cost = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) =>
      row < rows && column < columns ? -Math.round(similarities[row]![column]! / unit) : 0,
    ),
  )
  const { columnOf, isTight } = solveAssignment(cost)
  makeFirst(columnOf, isTight)
  return columnOf.slice(0, rows).map((column) => (column < columns ? column : null))
}

/**
 * The method with potentials, row by row along shortest augmenting paths. Potentials are integers, as costs
 * are.
 */
function solveAssignment(cost: readonly (readonly number[])[]) {
  const size = cost.length
  const rowPotential = new Array<number>(size + 1).fill(0)
  const columnPotential = new Array<number>(size + 1).fill(0)
  /** For column j, counted from 1: its row; 0 is none. */
  const rowOf = new Array<number>(size + 1).fill(0)
  for (let row = 1; row <= size; row++) {
    const way = new Array<number>(size + 1).fill(0)
    const slack = new Array<number>(size + 1).fill(Infinity)
    const visited = new Array<boolean>(size + 1).fill(false)
    rowOf[0] = row
    let column = 0
    do {
      visited[column] = true
      const at = rowOf[column]!
      let step = Infinity
      let next = 0
      for (let j = 1; j <= size; j++) {
        if (visited[j]) continue
        const reduced = cost[at - 1]![j - 1]! - rowPotential[at]! - columnPotential[j]!
        if (reduced < slack[j]!) {
          slack[j] = reduced
          way[j] = column
        }
        if (slack[j]! < step) {
          step = slack[j]!
          next = j
        }
      }
      for (let j = 0; j <= size; j++) {
        if (visited[j]) {
          rowPotential[rowOf[j]!]! += step
          columnPotential[j]! -= step
        } else slack[j]! -= step
      }
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      const before = way[column]!
      rowOf[column] = rowOf[before]!
      column = before
    }
  }
  const columnOf = new Array<number>(size).fill(0)
  for (let j = 1; j <= size; j++) columnOf[rowOf[j]! - 1] = j - 1
  // An assignment is best exactly if all its pairs are tight.
  const isTight = (row: number, column: number) =>
    cost[row]![column]! === rowPotential[row + 1]! + columnPotential[column + 1]!
  return { columnOf, isTight }
}

/** Exchanges along tight pairs until the assignment is the first of the best ones. */
function makeFirst(columnOf: number[], isTight: (row: number, column: number) => boolean): void {
  const size = columnOf.length
  for (let row = 0; row < size; row++)
    for (let column = 0; column < columnOf[row]!; column++) {
      if (!isTight(row, column)) continue
      const path = reassignColumns(columnOf, isTight, row, column)
      if (!path) continue
      for (const [changed, to] of path) columnOf[changed] = to
      break
    }
}

/**
 * How the later rows give up `column` to `row` for the one that it has: changes of columns, or null. Breadth
 * first.
 */
function reassignColumns(
  columnOf: readonly number[],
  isTight: (row: number, column: number) => boolean,
  row: number,
  column: number,
): [row: number, column: number][] | null {
  const freed = columnOf[row]!
  const first = columnOf.indexOf(column)
  if (first < row) return null
  const from = new Map<number, number>([[first, -1]])
  const queue = [first]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (isTight(at, freed)) {
      const path: [number, number][] = [[row, column]]
      for (let to = freed, one = at; one !== -1; one = from.get(one)!) {
        path.push([one, to])
        to = columnOf[one]!
      }
      return path
    }
    for (let later = row + 1; later < columnOf.length; later++)
      if (!from.has(later) && isTight(at, columnOf[later]!)) {
        from.set(later, at)
        queue.push(later)
      }
  }
  return null
}
