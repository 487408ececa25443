/** A program as a list of steps, and the flow of their outputs. */
import type {
  Atom,
  Condition,
  Expr,
  Program,
  VariableReference,
  ResultEntry,
  ProgramStep,
} from '@stateeval/contracts'

export interface ShownStep {
  /** The place in the instruction's notation: `body/0`, `then/result`, `body/condition`. */
  place: string
  /** How deep it stands: 1 in a branch. */
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

const buildConditionStep = ({ variable, path, measure, equals }: Condition): ShownStep => {
  const reference: VariableReference = { kind: 'reference', variable, path }
  const measured = formatShownReference(reference)
  return {
    ...{ place: 'body/condition', depth: 0 },
    text: `if ${measure === 'count' ? `the number of ${measured}` : measured} is ${equals}`,
    takes: [
      { reference, as: 'what is compared' },
      { reference: { kind: 'reference', variable: equals, path: [] }, as: 'compared value' },
    ],
  }
}

/** All steps in the order in which they are written. */
export function listShownSteps({ body, result, branch }: Program): ShownStep[] {
  const block = (name: string, steps: readonly ProgramStep[], depth: number) =>
    steps.map((step, n) => buildShownStep(step, `${name}/${n}`, depth))
  return [
    ...block('body', body, 0),
    ...(result ? [buildResultStep(result, 'body/result', 0)] : []),
    ...(branch
      ? [
          buildConditionStep(branch.condition),
          ...block('then', branch.then.steps, 1),
          buildResultStep(branch.then.result, 'then/result', 1),
          { place: 'otherwise', depth: 0, text: 'otherwise', takes: [] },
          ...block('otherwise', branch.otherwise.steps, 1),
          buildResultStep(branch.otherwise.result, 'otherwise/result', 1),
        ]
      : []),
  ]
}

/** The use of one step's output by a later step; the numbers are rows. */
export interface ValueFlow {
  from: number
  to: number
  what: string
  as: string
  /** Its own line beside the rows, from 0, so that no two lie upon each other. */
  lane: number
}

const getBlockName = (place: string) => place.split('/')[0] ?? ''

/** The sources of values; a value that does not come from a step is an initial variable. */
export function listFlows(steps: readonly ShownStep[]): ValueFlow[] {
  const flows = steps.flatMap((step, to) =>
    step.takes.flatMap(({ reference, as }) => {
      const from = steps.findLastIndex(
        ({ makes, place }, n) =>
          n < to &&
          makes === reference.variable &&
          (getBlockName(place) === 'body' || getBlockName(place) === getBlockName(step.place)),
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
