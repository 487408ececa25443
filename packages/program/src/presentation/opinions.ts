/** The agreement of another model on root causes: a sentence, counts, and the samples where they differ. */
import type { OpinionReport, ReportResult } from '@stateeval/contracts'
import { interval, percent, plural, words } from './format.ts'
import type { Section } from './presentation.ts'

const within = (range: readonly [number, number] | null, text: string) =>
  range === null ? '' : ` (95 % interval ${text})`

function summaryOf({
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
      : `${agreed} of ${plural(compared, 'cause')} ${agreed === 1 ? 'agrees' : 'agree'}, ${percent(share)}${within(rest.interval, interval(rest.interval))}`
  const range = rest.kappaInterval
  const beyond =
    kappa === null
      ? ''
      : `; Cohen’s kappa ${kappa.toFixed(2)}${within(range, range ? `${range[0].toFixed(2)} to ${range[1].toFixed(2)}` : '')}`
  const without = absent.reduce((sum, { samples }) => sum + samples, 0)
  const others = [
    unclear > 0 ? plural(unclear, 'answer names none', 'answers name none') : '',
    without > 0 ? plural(without, 'sample has no opinion', 'samples have no opinion') : '',
  ].filter(Boolean)
  return `Second opinion of ${model} on ${plural(failed, 'failed sample')}: ${agreement}${beyond}${others.length ? `; ${others.join(', ')}` : ''}.`
}

/** Empty if no other model was asked. */
export function opinionSections({ secondOpinion }: ReportResult): Section[] {
  if (!secondOpinion) return []
  const { model, absent, causes, differ } = secondOpinion
  const summary: Section = {
    title: 'Second opinion',
    lines: [
      summaryOf(secondOpinion),
      ...absent.slice(0, 3).map(({ reason, samples }) => `  ${samples} × ${reason}`),
    ],
  }
  const counts: Section = {
    table: {
      head: ['root cause', model, 'samples'],
      rows: causes.map(({ ours, theirs, samples }) => [words(ours), words(theirs), samples]),
    },
  }
  const differing: Section = {
    lines: [
      'Where they differ:',
      ...differ.map(
        ({ case: id, sample, ours, theirs, because }) =>
          `  ${id} sample ${sample}: ${words(ours)}; ${model}: ${words(theirs)}${because === '' ? '' : `, ${because}`}`,
      ),
    ],
    max: 10,
  }
  return [summary, ...(causes.length > 0 ? [counts] : []), ...(differ.length > 0 ? [differing] : [])]
}
