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
  /** Its inputs: the part of a variable, as which argument. */
  takes: { reference: VariableReference; as: string }[]
  /** The variable whose value it makes or changes. */
  makes?: string
}

const longest = 60
const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

export const referenceText = ({ variable, path }: VariableReference): string =>
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

function exprText(expr: Expr): string {
  switch (expr.kind) {
    case 'reference':
      return referenceText(expr)
    case 'literal':
      return cut(JSON.stringify(expr.value) ?? 'undefined')
    case 'list':
      return `[${expr.items.map(exprText).join(', ')}]`
    case 'object':
      return `{ ${Object.entries(expr.entries)
        .map(([key, value]) => `${key}: ${exprText(value)}`)
        .join(', ')} }`
  }
}

function referencesIn(expr: Expr): VariableReference[] {
  const atoms: readonly Atom[] =
    expr.kind === 'list' ? expr.items : expr.kind === 'object' ? Object.values(expr.entries) : [expr]
  return atoms.filter((atom): atom is VariableReference => atom.kind === 'reference')
}

function shownStep(step: ProgramStep, place: string, depth: number): ShownStep {
  if (step.kind === 'edit') {
    const { target, value } = step
    return {
      ...{ place, depth, text: `${referenceText(target)} = ${exprText(value)}`, makes: target.variable },
      takes: [
        { reference: { kind: 'reference', variable: target.variable, path: [] }, as: 'what is changed' },
        ...referencesIn(value).map((reference) => ({ reference, as: 'its new value' })),
      ],
    }
  }
  const args = Object.entries(step.args)
  const given = args.map(([name, expr]) => `${name}: ${exprText(expr)}`).join(', ')
  return {
    ...{ place, depth, text: `${step.api}(${given})` },
    takes: args.flatMap(([as, expr]) => referencesIn(expr).map((reference) => ({ reference, as }))),
    ...(step.binds !== undefined && { makes: step.binds }),
  }
}

const resultStep = (result: readonly ResultEntry[], place: string, depth: number): ShownStep => ({
  ...{ place, depth },
  text: `RESULT = { ${result.map(({ key, value }) => `${key}: ${referenceText(value)}`).join(', ')} }`,
  takes: result.map(({ key, value }) => ({ reference: value, as: key })),
})

const conditionStep = ({ variable, path, measure, equals }: Condition): ShownStep => {
  const reference: VariableReference = { kind: 'reference', variable, path }
  const measured = referenceText(reference)
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
export function stepsOf({ body, result, branch }: Program): ShownStep[] {
  const block = (name: string, steps: readonly ProgramStep[], depth: number) =>
    steps.map((step, n) => shownStep(step, `${name}/${n}`, depth))
  return [
    ...block('body', body, 0),
    ...(result ? [resultStep(result, 'body/result', 0)] : []),
    ...(branch
      ? [
          conditionStep(branch.condition),
          ...block('then', branch.then.steps, 1),
          resultStep(branch.then.result, 'then/result', 1),
          { place: 'otherwise', depth: 0, text: 'otherwise', takes: [] },
          ...block('otherwise', branch.otherwise.steps, 1),
          resultStep(branch.otherwise.result, 'otherwise/result', 1),
        ]
      : []),
  ]
}

/** The use of one step's output by a later step; the numbers are rows. */
export interface Flow {
  from: number
  to: number
  what: string
  as: string
  /** Its own line beside the rows, from 0, so that no two lie upon each other. */
  lane: number
}

const blockOf = (place: string) => place.split('/')[0] ?? ''

/** The sources of values; a value that does not come from a step is an initial variable. */
export function flowsOf(steps: readonly ShownStep[]): Flow[] {
  const flows = steps.flatMap((step, to) =>
    step.takes.flatMap(({ reference, as }) => {
      const from = steps.findLastIndex(
        ({ makes, place }, n) =>
          n < to &&
          makes === reference.variable &&
          (blockOf(place) === 'body' || blockOf(place) === blockOf(step.place)),
      )
      return from < 0 ? [] : [{ from, to, what: referenceText(reference), as }]
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
export function cutIntoPhrases(
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
