/** How far another model names the same root causes, as a sentence, counts, and the samples where they differ. */
import type { OpinionReport, ReportResult } from '@stateeval/contracts'
import { table } from '../terminal.ts'
import { interval, percent, plural, words } from './format.ts'

const within = (range: readonly [number, number] | null, text: string) =>
  range === null ? '' : ` (95 % interval ${text})`

export function summaryOf({
  model,
  failed,
  unclear,
  absent,
  compared,
  agreed,
  share,
  kappa,
  ...rest
}: OpinionReport): string {
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

export const differing = ({ model, differ }: OpinionReport) =>
  differ.map(
    ({ case: id, sample, ours, theirs, because }) =>
      `${id} sample ${sample}: ${words(ours)}; ${model}: ${words(theirs)}${because === '' ? '' : `, ${because}`}`,
  )

const most = 10

export function opinionTables({ secondOpinion }: ReportResult): string[] {
  if (!secondOpinion) return []
  const { model, absent, causes, differ } = secondOpinion
  const missing = absent.slice(0, 3).map(({ reason, samples }) => `  ${samples} × ${reason}`)
  const lines = differing({ ...secondOpinion, differ: differ.slice(0, most) }).map((line) => `  ${line}`)
  const more =
    differ.length > most ? [`  … and ${differ.length - most} more; --format json has them all`] : []
  return [
    [summaryOf(secondOpinion), ...missing].join('\n'),
    ...(causes.length > 0
      ? [
          table(
            ['root cause', model, 'samples'],
            causes.map(({ ours, theirs, samples }) => [words(ours), words(theirs), samples]),
          ),
        ]
      : []),
    ...(lines.length > 0 ? [['Where they differ:', ...lines, ...more].join('\n')] : []),
  ]
}
