/**
 * An evaluation as a log of Inspect AI, in its JSON form (version 2): a header with the figures of the
 * report, then one sample at a time, so memory never holds a whole log. The same evaluation always gives
 * the same bytes.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { JsonText } from '@stateeval/service-kit'
import type { EvaluationOwner } from '@stateeval/jobs'
import { loadFigures } from '../../owners/report.ts'
import { readLoggedSamples, type SampleLogSources } from '../logged-samples.ts'
import { buildInspectHeader } from './header.ts'
import { buildInspectSample } from './sample.ts'

export async function* buildInspectLog(
  context: SampleLogSources,
  owner: EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> },
): JsonText {
  const figures = await loadFigures(context, owner.ended)
  const header = buildInspectHeader(owner, figures, await context.sets.ids(owner.benchmark)) as Record<
    string,
    JsonValue
  >
  yield `${JSON.stringify(header).slice(0, -1)},"samples":[`
  let before = '\n'
  for await (const sample of readLoggedSamples(context, owner)) {
    yield `${before}${JSON.stringify(buildInspectSample(sample))}`
    before = ',\n'
  }
  yield '\n]}\n'
}
