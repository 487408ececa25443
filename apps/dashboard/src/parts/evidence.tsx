/** Why a sample failed, from its score. */
import type { ScoredSample } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { Terms } from './terms.tsx'

type ShownScore = NonNullable<ScoredSample['score']>

export function Verdict({ score, notScored }: Pick<ScoredSample, 'score' | 'notScored'>) {
  if (!score) return <p className="note">Not scored: {notScored}</p>
  return (
    <p className={score.passed ? 'passed verdict' : 'failed verdict'}>
      <span aria-hidden="true">{score.passed ? '●' : '✕'}</span> {splitWords(score.verdict)}
      {score.reward !== undefined && ` · reward ${score.reward}`}
    </p>
  )
}

export function Evidence({ score }: { score: ShownScore }) {
  const { error, differences, rootCause, input } = score.evidence
  if (!error && !rootCause && differences.length === 0) return null
  return (
    <div className="evidence">
      {input !== undefined && <p>It shows first on input {input + 1}.</p>}
      {error && (
        <div className="failure">
          <p>
            <strong>{error.name}</strong>
            {error.line !== undefined && ` in line ${error.line}`}
            {error.status !== undefined && `, HTTP ${error.status}`}: {error.message}
          </p>
        </div>
      )}
      {rootCause && (
        <Terms
          of={[
            ['root cause', [rootCause.cause, rootCause.kind ?? []].flat().map(splitWords).join(', ')],
            ...(['because', 'api', 'argument', 'expected', 'found'] as const).flatMap((name) =>
              rootCause[name] === undefined ? [] : [[name, rootCause[name]] as const],
            ),
          ]}
        />
      )}
      {differences.length > 0 && (
        <ul>
          {differences.map(({ says, where, expected, found }, n) => (
            <li key={n}>
              {says}
              <small>
                {where}
                {expected !== undefined && ` · expected ${expected}`}
                {found !== undefined && ` · found ${found}`}
              </small>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
