/** `world infer`: a model from a document, with reasons, and a report of what it lacks. */
import { ProblemError } from '@stateeval/contracts'
import type { DroppedPart, InferenceCounts, InferredTool, WorldModel } from '@stateeval/world-model'
import { Failure } from '../command.ts'
import { formatPlural } from '../report/format.ts'
import { formatTable } from '../terminal.ts'

interface InferenceReport {
  model: WorldModel | null
  counts: InferenceCounts | null
  dropped: readonly DroppedPart[]
  tools: readonly InferredTool[]
}

/** Infers a world from the text of an OpenAPI document, or reads the tools of an MCP server. */
export async function inferFromText(text: string, name: string): Promise<InferenceReport> {
  const { openDocument, readText } = await import('@stateeval/openapi')
  const { countInference, inferTools, inferWorld } = await import('@stateeval/world-model')
  try {
    const value = readText(text, name)
    const tools = inferTools(value)
    if (tools) return { model: null, counts: null, dropped: [], tools }
    const { model, dropped, api } = inferWorld(openDocument(value, name))
    return { model, counts: countInference(api), dropped, tools: [] }
  } catch (error) {
    if (error instanceof ProblemError) throw new Failure(error.message)
    throw error
  }
}

const share = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`)

/** The report as text. Dropped operations are counted by their reason, unless all are wanted. */
export function formatInference(
  { model, counts, dropped, tools }: InferenceReport,
  showsAll: boolean,
): string {
  if (!model || !counts)
    return formatTable(
      ['tool', 'effect', 'noun', 'several at once', 'confidence'],
      tools.map(({ tool, effect, noun, batch, confidence }) => [tool, effect, noun, batch, confidence]),
    )
  const types = Object.entries(model.types).map(([name, { parent, identity, fields }]) => [
    name,
    parent,
    `${identity.field}, chosen by ${identity.by}`,
    Object.keys(fields).length,
    Object.values(model.operations)
      .filter(({ type }) => type === name)
      .map(({ effect }) => effect)
      .join(' '),
  ])
  const reasons = Map.groupBy(dropped, ({ reason }) => reason.replace(/: .*/, '').replace(/ \(.*/, ''))
  const lacking = showsAll
    ? dropped.map(({ what, reason }) => [what, reason])
    : [...reasons].sort((a, b) => b[1].length - a[1].length).map(([reason, all]) => [all.length, reason])
  return [
    `${model.title}: ${formatPlural(counts.operations, 'operation')}, ${share(counts.stateEffects, counts.operations)} with a known effect; all ids of the path are obtainable for ${share(counts.producible, counts.withPathIds)}.`,
    `The model has ${formatPlural(Object.keys(model.types).length, 'type')} and ${formatPlural(Object.keys(model.operations).length, 'operation')}.`,
    ...(types.length > 0 ? [formatTable(['type', 'above', 'identity', 'fields', 'operations'], types)] : []),
    ...(lacking.length > 0
      ? [
          `Not in the model${showsAll ? '' : ' (--dropped lists each operation)'}:`,
          formatTable([showsAll ? 'operation' : 'operations', 'reason'], lacking),
        ]
      : []),
  ].join('\n\n')
}
