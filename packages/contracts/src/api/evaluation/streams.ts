/** Streams: endless tasks from a seed, for training and for held-out tests. */
import Type from 'typebox'
import {
  StreamId,
  StreamReference,
  StreamRequest,
  StreamResource,
  StreamTask,
} from '../../evaluation/index.ts'
import {
  exampleStreamReference,
  exampleStreamRequest,
  exampleStreamTask,
  revealedStream,
  sealedStream,
} from '../../examples/streams.ts'
import { Language } from '../../execution.ts'
import { definePage, definePageQuery } from '../../job.ts'
import { defineOperations } from '../../operation.ts'

const Params = Type.Object({ id: StreamId })
const TaskParams = Type.Object({
  id: StreamId,
  index: Type.String({ pattern: '^(0|[1-9][0-9]{0,8})$', description: 'From 0' }),
})

export const streamOperations = defineOperations({
  createStream: {
    method: 'POST',
    path: '/v1/streams',
    scope: 'run',
    work: true,
    tag: 'streams',
    summary: 'Create a stream of tasks',
    description:
      'Generates nothing yet. A held-out stream returns a commitment instead of its seed; publish it before you test.',
    body: StreamRequest,
    success: {
      201: { description: 'The stream; Location names it', schema: StreamResource, example: sealedStream },
    },
    errors: [400, 409, 413, 415, 422, 429],
    example: exampleStreamRequest,
  },
  listStreams: {
    method: 'GET',
    path: '/v1/streams',
    scope: 'read',
    tag: 'streams',
    summary: 'List streams',
    description: 'The project’s streams, oldest first.',
    query: definePageQuery('^str_[0-9a-z]{1,64}$'),
    success: {
      200: { description: 'A page', schema: definePage(StreamResource), example: { items: [sealedStream] } },
    },
    errors: [400],
  },
  getStream: {
    method: 'GET',
    path: '/v1/streams/:id',
    scope: 'read',
    tag: 'streams',
    summary: 'A stream',
    description: 'Returns the options, the commitment and, unless it is sealed, the seed.',
    params: Params,
    success: { 200: { description: 'The stream', schema: StreamResource, example: sealedStream } },
    errors: [400, 404],
  },
  getStreamTask: {
    method: 'GET',
    path: '/v1/streams/:id/tasks/:index',
    scope: 'read',
    tag: 'streams',
    summary: 'A task of a stream',
    description:
      'Tasks can be requested by any index, in any order. It contains no part of the reference. The first request of a block generates it; if that takes longer than 20 seconds, the response is 503 with Retry-After.',
    params: TaskParams,
    success: { 200: { description: 'The task', schema: StreamTask, example: exampleStreamTask } },
    errors: [400, 404, 409, 422],
  },
  getStreamReference: {
    method: 'GET',
    path: '/v1/streams/:id/tasks/:index/reference',
    scope: 'read',
    tag: 'streams',
    summary: 'The reference answer of a task',
    description:
      'Use it for imitation learning, or to check a revealed stream. Refused with 409 while the stream is sealed.',
    params: TaskParams,
    query: Type.Object({ language: Type.Optional(Language) }, { additionalProperties: false }),
    success: {
      200: { description: 'The reference', schema: StreamReference, example: exampleStreamReference },
    },
    errors: [400, 404, 409, 422],
  },
  revealStream: {
    method: 'POST',
    path: '/v1/streams/:id/reveal',
    scope: 'run',
    tag: 'streams',
    summary: 'Reveal the seed of a held-out stream',
    description:
      'Publishes seed and salt, so that anyone can check the commitment and generate the tasks. It cannot be undone. From then on, the stream accepts no new episodes; open episodes continue. A repeated reveal gets the same response.',
    params: Params,
    success: { 200: { description: 'The stream', schema: StreamResource, example: revealedStream } },
    errors: [400, 404, 409],
  },
  deleteStream: {
    method: 'DELETE',
    path: '/v1/streams/:id',
    scope: 'run',
    tag: 'streams',
    summary: 'Delete a stream',
    description:
      'Deletes the stream with its tasks. Steps of its open episodes are refused from then on. Create it again with the same seed and options for the same tasks.',
    params: Params,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404],
  },
})
