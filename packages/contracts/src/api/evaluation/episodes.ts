/** Episodes: cases as environments that an agent or a trainer drives step by step. */
import Type from 'typebox'
import {
  EpisodeRequest,
  EpisodeResource,
  EpisodeStep,
  EpisodeTurn,
  RenewEpisode,
} from '../../evaluation/index.ts'
import {
  exampleEpisode,
  exampleEpisodeRequest,
  exampleEpisodeStep,
  lastTurn,
} from '../../examples/episodes.ts'
import { defineOperations } from '../../operation.ts'

const Params = Type.Object({ id: Type.String({ pattern: '^ep_[0-9a-z]{1,64}$' }) })

export const episodeOperations = defineOperations({
  createEpisode: {
    method: 'POST',
    path: '/v1/episodes',
    scope: 'run',
    work: true,
    tag: 'episodes',
    summary: 'Open an episode',
    description:
      'Opens a case of a benchmark, or a task of a stream, as an environment and returns the first messages and tools. The caller plays the model; the service provides users, judges, runs of code, tool sessions and the score. With an Idempotency-Key, repeating the request returns the same episode.',
    body: EpisodeRequest,
    success: {
      201: {
        description: 'The episode. Location has its URL',
        schema: EpisodeResource,
        example: exampleEpisode,
      },
    },
    errors: [400, 404, 409, 413, 415, 422, 429],
    example: exampleEpisodeRequest,
  },
  getEpisode: {
    method: 'GET',
    path: '/v1/episodes/:id',
    scope: 'read',
    tag: 'episodes',
    summary: 'An episode with its newest turn',
    description: 'For a client that lost the response to its last step.',
    params: Params,
    success: { 200: { description: 'The episode', schema: EpisodeResource, example: exampleEpisode } },
    errors: [400, 404],
  },
  stepEpisode: {
    method: 'POST',
    path: '/v1/episodes/:id/steps',
    scope: 'run',
    work: true,
    tag: 'episodes',
    summary: 'Send the next reply',
    description:
      'Returns the results of the reply’s tool calls and further messages, or the reward. Any replica accepts any step, and a step takes effect once: a repeated step gets the same response, and a duplicate waits while the first runs. After a lost connection or a 503, send the same step again.',
    params: Params,
    // A text of two million characters may take six bytes for each. A document holds 16 MiB.
    bodyLimit: 13 * 2 ** 20,
    body: EpisodeStep,
    success: { 200: { description: 'The next turn', schema: EpisodeTurn, example: lastTurn } },
    errors: [400, 404, 409, 413, 415, 422],
    example: exampleEpisodeStep,
  },
  renewEpisode: {
    method: 'POST',
    path: '/v1/episodes/:id/renew',
    scope: 'run',
    tag: 'episodes',
    summary: 'Renew the lease of an episode',
    description: 'Restarts the lease. An expired episode continues; a finished one stays finished.',
    params: Params,
    body: RenewEpisode,
    success: { 200: { description: 'The episode', schema: EpisodeResource, example: exampleEpisode } },
    errors: [400, 404, 413, 415, 429],
    example: { leaseSeconds: 900 },
  },
  deleteEpisode: {
    method: 'DELETE',
    path: '/v1/episodes/:id',
    scope: 'run',
    tag: 'episodes',
    summary: 'Delete an episode',
    description:
      'Deletes the episode in any state. Its turns are deleted immediately, its runs and worlds with the next sweep.',
    params: Params,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404],
  },
})
