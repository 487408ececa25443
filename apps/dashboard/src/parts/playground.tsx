/** Runs and judges edited code as the case's answer, in an episode in which the page replaces the model. */
import { useMutation } from '@tanstack/react-query'
import type { EpisodeTurn, EvaluationResource } from '@stateeval/contracts'
import { lazy, Suspense, useState } from 'react'
import { getApi } from '../data/api.ts'
import { wrapCode } from '../pure/code.ts'
import { Evidence, Verdict } from './evidence.tsx'
import { CodeLoading, Failure } from './states.tsx'

const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))

/** How long an episode that nobody answers any more stays, in seconds. */
const leaseSeconds = 120

async function judgeCode(evaluation: EvaluationResource, name: string, code: string): Promise<EpisodeTurn> {
  const { language, policy, setup, layout, timeLimit } = evaluation.options
  const { id } = await getApi().createEpisode({
    body: {
      benchmark: evaluation.benchmark,
      case: name,
      leaseSeconds,
      ...(language && { language }),
      ...(policy !== undefined && { policy }),
      ...(setup !== undefined && { setup }),
      ...(layout !== undefined && { layout }),
      ...(timeLimit !== undefined && { timeLimit }),
    },
  })
  const text = language ? wrapCode(code, language) : code
  const turn = await getApi().stepEpisode({ params: { id }, body: { step: 1, reply: { text } } })
  await getApi().deleteEpisode({ params: { id } })
  return turn
}

interface PlaygroundProps {
  evaluation: EvaluationResource
  name: string
  code: string
}
export function Playground({ evaluation, name, code }: PlaygroundProps) {
  const [edited, setEdited] = useState(code)
  const run = useMutation({ mutationFn: () => judgeCode(evaluation, name, edited) })
  const { data: turn } = run
  return (
    <section aria-labelledby="playground">
      <h2 id="playground">Run it edited</h2>
      <Suspense fallback={<CodeLoading code={code} />}>
        <Editor language={evaluation.options.language} code={code} onChange={setEdited} />
      </Suspense>
      <p>
        <button type="button" className="primary" disabled={run.isPending} onClick={() => run.mutate()}>
          {run.isPending ? 'Running …' : 'Run and judge'}
        </button>
      </p>
      <div role="status" className="judged">
        {turn?.score && (
          <>
            <Verdict score={turn.score} />
            <Evidence score={turn.score} />
          </>
        )}
        {turn && !turn.done && (
          <p className="note">This case asks for more than one reply; it can’t be tried here.</p>
        )}
        {turn?.done && !turn.score && <p className="note">It was not scored.</p>}
      </div>
      {run.error && <Failure error={run.error} />}
    </section>
  )
}
