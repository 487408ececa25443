/**
 * A real small embeddings model maps calls of a dialogue, over the endpoint that serves it: part of the long
 * tests.
 */
import { expect, test } from '@jest/globals'
import { loadEmbedder, startEmbeddingServer } from '@stateeval/embeddings'
import { computeSimilarities } from '@stateeval/models'
import { obtainEmbeddingsModel } from '../../../packages/embeddings/test/obtain.ts'
import type { Consultation, EpisodeEvent } from '@stateeval/contracts'
import { lead, type Saying } from './lead.ts'
import { but, caseOf, hotelPath, hotels, policies } from './paths.ts'

const model =
  process.env['STATEEVAL_LONG'] === '1'
    ? await obtainEmbeddingsModel()
    : ({ ok: false, reason: 'it is part of the long tests' } as const)
if (!model.ok) console.log(`skipped: ${model.reason}`)
const when = model.ok ? test : test.skip

when('all-MiniLM-L6-v2 maps each wrong call to the golden call of its function', async () => {
  const embedder = await loadEmbedder(model.ok ? model.folder : '')
  const server = await startEmbeddingServer(embedder, { name: 'all-MiniLM-L6-v2' })
  const vectorsOf = async (input: readonly string[]) => {
    const response = await fetch(`${server.baseUrl}/embeddings`, {
      method: 'POST',
      body: JSON.stringify({ input }),
    })
    return ((await response.json()) as { data: { embedding: number[] }[] }).data.map(
      ({ embedding }) => embedding,
    )
  }
  const consult = async ({ need }: { need: Consultation['need'] }): Promise<EpisodeEvent> =>
    need.kind === 'similar'
      ? {
          kind: 'similar',
          matrix: computeSimilarities(await vectorsOf(need.left), await vectorsOf(need.right)),
        }
      : { kind: 'unavailable', reason: 'not_configured', detail: 'nobody' }
  const here = caseOf(hotelPath([policies('100')], [policies('200'), hotels], [policies('300')]))
  const script: Saying[] = [[policies('100')], [but(hotels, { dest_id: '9' }), policies('201')], 'Done.']
  const { rounds } = await lead(here, here.cases[0]!, script, { consult: (need) => consult({ need }) })
  expect(rounds[1]?.calls.map(({ golden }) => golden)).toEqual([2, 1])
  expect(rounds[1]?.mapping?.by).toBe('embeddings')
  await server.close()
  await embedder.close()
})
