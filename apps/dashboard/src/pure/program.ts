/** A program as a list of steps, and the flow of their outputs. */
import type {
  Atom,
  Condition,
  Expr,
  Program,
  VariableReference,
  ResultEntry,
  ProgramStep,
  StepBlock,
} from '@stateeval/contracts'

export interface ShownStep {
  /** The place in the instruction's notation: `body/0`, `then/result`, `body/condition`. */
  place: string
  /** How many ifs it stands in. */
  depth: number
  text: string
  /** Its inputs: a part of a variable, and the argument that takes it. */
  takes: { reference: VariableReference; as: string }[]
  /** The variable whose value it makes or changes. */
  makes?: string
}

const longest = 60
const cutLine = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

const formatShownReference = ({ variable, path }: VariableReference): string =>
  variable +
  path
    .map((key) =>
      typeof key === 'number'
        ? `[${key}]`
        : /^[A-Za-z_]\w*$/.test(key)
          ? `.${key}`
          : `[${JSON.stringify(key)}]`,
    )
    .join('')

function formatExpr(expr: Expr): string {
  switch (expr.kind) {
    case 'reference':
      return formatShownReference(expr)
    case 'literal':
      return cutLine(JSON.stringify(expr.value) ?? 'undefined')
    case 'list':
      return `[${expr.items.map(formatExpr).join(', ')}]`
    case 'object':
      return `{ ${Object.entries(expr.entries)
        .map(([key, value]) => `${key}: ${formatExpr(value)}`)
        .join(', ')} }`
  }
}

function listShownReferences(expr: Expr): VariableReference[] {
  const atoms: readonly Atom[] =
    expr.kind === 'list' ? expr.items : expr.kind === 'object' ? Object.values(expr.entries) : [expr]
  return atoms.filter((atom): atom is VariableReference => atom.kind === 'reference')
}

function buildShownStep(step: ProgramStep, place: string, depth: number): ShownStep {
  if (step.kind === 'edit') {
    const { target, value } = step
    return {
      ...{
        place,
        depth,
        text: `${formatShownReference(target)} = ${formatExpr(value)}`,
        makes: target.variable,
      },
      takes: [
        { reference: { kind: 'reference', variable: target.variable, path: [] }, as: 'what is changed' },
        ...listShownReferences(value).map((reference) => ({ reference, as: 'its new value' })),
      ],
    }
  }
  const args = Object.entries(step.args)
  const given = args.map(([name, expr]) => `${name}: ${formatExpr(expr)}`).join(', ')
  return {
    ...{ place, depth, text: `${step.api}(${given})` },
    takes: args.flatMap(([as, expr]) => listShownReferences(expr).map((reference) => ({ reference, as }))),
    ...(step.binds !== undefined && { makes: step.binds }),
  }
}

const buildResultStep = (result: readonly ResultEntry[], place: string, depth: number): ShownStep => ({
  ...{ place, depth },
  text: `RESULT = { ${result.map(({ key, value }) => `${key}: ${formatShownReference(value)}`).join(', ')} }`,
  takes: result.map(({ key, value }) => ({ reference: value, as: key })),
})

const buildConditionStep = (
  { variable, path, measure, equals }: Condition,
  block: string,
  depth: number,
): ShownStep => {
  const reference: VariableReference = { kind: 'reference', variable, path }
  const measured = formatShownReference(reference)
  return {
    ...{ place: `${block}/condition`, depth },
    text: `if ${measure === 'count' ? `the number of ${measured}` : measured} is ${equals}`,
    takes: [
      { reference, as: 'what is compared' },
      { reference: { kind: 'reference', variable: equals, path: [] }, as: 'compared value' },
    ],
  }
}

/** All steps in the order in which they are written. */
export function listShownSteps({ body, result, branch }: Program): ShownStep[] {
  const list = (
    block: string,
    { steps, result: entries, branch: end }: StepBlock,
    depth: number,
  ): ShownStep[] => [
    ...steps.map((step, n) => buildShownStep(step, `${block}/${n}`, depth)),
    ...(end
      ? [
          buildConditionStep(end.condition, block, depth),
          ...list(nameBranch(block, 'then'), end.then, depth + 1),
          { place: nameBranch(block, 'otherwise'), depth, text: 'otherwise', takes: [] },
          ...list(nameBranch(block, 'otherwise'), end.otherwise, depth + 1),
        ]
      : [buildResultStep(entries, `${block}/result`, depth)]),
  ]
  return list('body', { steps: body, result: result ?? [], ...(branch && { branch }) }, 0)
}
const nameBranch = (block: string, side: 'then' | 'otherwise') =>
  block === 'body' ? side : `${block}/${side}`

/** The use of one step's output by a later step; the numbers are rows. */
export interface ValueFlow {
  from: number
  to: number
  what: string
  as: string
  /** Its own line beside the rows, from 0, so that no two lie upon each other. */
  lane: number
}

const getBlockName = (place: string) => place.slice(0, place.lastIndexOf('/'))
/** Tells whether what is made in one place has a value in another: it stands before it on its path. */
const isOnPathTo = (from: string, to: string) => {
  const [made, used] = [getBlockName(from), getBlockName(to)]
  return made === 'body' || made === used || used.startsWith(`${made}/`)
}

/** The sources of values; a value that does not come from a step is an initial variable. */
export function listFlows(steps: readonly ShownStep[]): ValueFlow[] {
  const flows = steps.flatMap((step, to) =>
    step.takes.flatMap(({ reference, as }) => {
      const from = steps.findLastIndex(
        ({ makes, place }, n) => n < to && makes === reference.variable && isOnPathTo(place, step.place),
      )
      return from < 0 ? [] : [{ from, to, what: formatShownReference(reference), as }]
    }),
  )
  // The first lane whose last line has ended.
  const ends: number[] = []
  return flows
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .map((flow) => {
      const free = ends.findIndex((end) => end <= flow.from)
      const lane = free < 0 ? ends.length : free
      ends[lane] = flow.to
      return { ...flow, lane }
    })
}

/** A text divided into phrases and the parts between them. */
export function splitPhrases(
  text: string,
  phrases: readonly { from: number; to: number; place: string }[],
): { text: string; place?: string }[] {
  const parts: { text: string; place?: string }[] = []
  let at = 0
  for (const { from, to, place } of phrases) {
    if (from < at || to > text.length || to <= from) continue
    if (from > at) parts.push({ text: text.slice(at, from) })
    parts.push({ text: text.slice(from, to), place })
    at = to
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}
