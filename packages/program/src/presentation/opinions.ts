/** The agreement of another model on root causes: a sentence, counts, and the samples where they differ. */
import type { OpinionReport, ReportResult } from '@stateeval/contracts'
import { formatInterval, formatShare, formatPlural, splitWords } from './format.ts'
import type { PresentationSection } from './presentation.ts'

const formatWithin = (range: readonly [number, number] | null, text: string) =>
  range === null ? '' : ` (95 % interval ${text})`

function summarizeOpinions({
  model,
  failed,
  unclear,
  absent,
  compared,
  agreed,
  share,
  kappa,
  ...rest
}: OpinionReport) {
  const agreement =
    compared === 0
      ? 'no cause to compare'
      : `${agreed} of ${formatPlural(compared, 'cause')} ${agreed === 1 ? 'agrees' : 'agree'}, ${formatShare(share)}${formatWithin(rest.interval, formatInterval(rest.interval))}`
  const range = rest.kappaInterval
  const beyond =
    kappa === null
      ? ''
      : `; Cohen’s kappa ${kappa.toFixed(2)}${formatWithin(range, range ? `${range[0].toFixed(2)} to ${range[1].toFixed(2)}` : '')}`
  const without = absent.reduce((sum, { samples }) => sum + samples, 0)
  const others = [
    unclear > 0 ? formatPlural(unclear, 'answer names none', 'answers name none') : '',
    without > 0 ? formatPlural(without, 'sample has no opinion', 'samples have no opinion') : '',
  ].filter(Boolean)
  return `Second opinion of ${model} on ${formatPlural(failed, 'failed sample')}: ${agreement}${beyond}${others.length ? `; ${others.join(', ')}` : ''}.`
}

/** Empty if no other model was asked. */
export function buildOpinionSections({ secondOpinion }: ReportResult): PresentationSection[] {
  if (!secondOpinion) return []
  const { model, absent, causes, differ } = secondOpinion
  const summary: PresentationSection = {
    title: 'Second opinion',
    lines: [
      summarizeOpinions(secondOpinion),
      ...absent.slice(0, 3).map(({ reason, samples }) => `  ${samples} × ${reason}`),
    ],
  }
  const counts: PresentationSection = {
    table: {
      head: ['root cause', model, 'samples'],
      rows: causes.map(({ ours, theirs, samples }) => [splitWords(ours), splitWords(theirs), samples]),
    },
  }
  const differing: PresentationSection = {
    lines: [
      'Where they differ:',
      ...differ.map(
        ({ case: id, sample, ours, theirs, because }) =>
          `  ${id} sample ${sample}: ${splitWords(ours)}; ${model}: ${splitWords(theirs)}${because === '' ? '' : `, ${because}`}`,
      ),
    ],
    max: 10,
  }
  return [summary, ...(causes.length > 0 ? [counts] : []), ...(differ.length > 0 ? [differing] : [])]
}
