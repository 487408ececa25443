/** Dead letters of all services: listed, read, discarded, queued again. */
import Type from 'typebox'
import {
  DeadLetter,
  DeadLetterDetail,
  DeadLetterFilter,
  DiscardedAll,
  RedriveResult,
  RedrivenAll,
} from '../../dead-letter.ts'
import { exampleDeadLetter, exampleRedriven } from '../../examples/dead-letters.ts'
import { definePage, definePageQuery } from '../../job.ts'
import { defineOperations } from '../../operation.ts'

const Params = Type.Object({ id: DeadLetter.properties.id })
const { payload: _payload, replyTo: _replyTo, ...listed } = exampleDeadLetter

export const deadLetterOperations = defineOperations({
  listDeadLetters: {
    method: 'GET',
    path: '/v1/dead-letters',
    scope: 'read',
    tag: 'dead-letters',
    summary: 'List jobs that failed at every attempt',
    description:
      'Dead letters of all services, oldest first. A page may have fewer entries than its limit although more follow; continue with `next`.',
    query: Type.Object(
      { ...definePageQuery('^[0-9a-f]{32}$').properties, ...DeadLetterFilter.properties },
      { additionalProperties: false },
    ),
    success: { 200: { description: 'A page', schema: definePage(DeadLetter), example: { items: [listed] } } },
    errors: [400],
  },
  getDeadLetter: {
    method: 'GET',
    path: '/v1/dead-letters/:id',
    scope: 'read',
    tag: 'dead-letters',
    summary: 'A job that failed at every attempt, with its payload',
    description: 'Dead letters are kept for 30 days, or until they are discarded or queued again.',
    params: Params,
    success: {
      200: { description: 'The dead letter', schema: DeadLetterDetail, example: exampleDeadLetter },
    },
    errors: [400, 404],
  },
  discardDeadLetter: {
    method: 'DELETE',
    path: '/v1/dead-letters/:id',
    scope: 'run',
    tag: 'dead-letters',
    summary: 'Discard a dead letter',
    description: 'The job cannot be queued again from it. Its evaluation or build stays as it is.',
    params: Params,
    success: { 204: { description: 'Discarded', schema: null } },
    errors: [400, 404],
  },
  redriveDeadLetter: {
    method: 'POST',
    path: '/v1/dead-letters/:id/redrive',
    scope: 'run',
    tag: 'dead-letters',
    summary: 'Queue a job again',
    description:
      'The job keeps its id and starts with all its attempts; its evaluation or build receives the outcome. An evaluation or a build that failed because of it continues. Once queued, the job is no longer a dead letter.',
    params: Params,
    success: { 202: { description: 'Queued', schema: RedriveResult, example: exampleRedriven } },
    errors: [400, 404, 409],
  },
  redriveDeadLetters: {
    method: 'POST',
    path: '/v1/dead-letters/redrive',
    scope: 'run',
    tag: 'dead-letters',
    summary: 'Queue all matching jobs again',
    description:
      'At most 500 jobs in one request; `more` tells whether others match. Without a filter, all jobs match.',
    body: DeadLetterFilter,
    success: {
      202: {
        description: 'Queued',
        schema: RedrivenAll,
        example: { redriven: [exampleRedriven], more: false },
      },
    },
    errors: [400, 409, 413, 415],
    example: { kind: 'execution.execute' },
  },
  discardDeadLetters: {
    method: 'POST',
    path: '/v1/dead-letters/discard',
    scope: 'run',
    tag: 'dead-letters',
    summary: 'Discard all matching dead letters',
    description:
      'At most 500 in one request; `more` tells whether others match. Without a filter, all match. The jobs cannot be queued again. Their evaluations and builds stay as they are.',
    body: DeadLetterFilter,
    success: {
      200: {
        description: 'Discarded',
        schema: DiscardedAll,
        example: { discarded: [exampleDeadLetter.id], more: false },
      },
    },
    errors: [400, 413, 415],
    example: { error: 'no jail can be started' },
  },
})
