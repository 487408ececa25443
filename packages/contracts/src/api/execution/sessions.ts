/** Tool sessions: a world that is called step by step. */
import Type from 'typebox'
import {
  exampleCalls,
  exampleClosed,
  exampleLogged,
  exampleOpen,
  exampleResults,
  exampleSession,
} from '../../examples/tool-sessions.ts'
import { ExecutionResult } from '../../execution.ts'
import { IdParams, PositionQuery, definePage } from '../../job.ts'
import { ModelToolCall } from '../../model.ts'
import { defineOperations } from '../../operation.ts'
import {
  CallToolSession,
  CloseToolSession,
  LoggedToolCall,
  OpenToolSession,
  ToolReply,
  ToolSession,
} from '../../tool-session.ts'

const closedObject = { additionalProperties: false } as const

/** The results of a request's calls, in order. */
export const ToolResults = Type.Object(
  {
    results: Type.Array(
      Type.Object({ id: ModelToolCall.properties.id, ...ToolReply.properties }, closedObject),
    ),
  },
  closedObject,
)

export const toolSessionOperations = defineOperations({
  openSession: {
    method: 'POST',
    path: '/v1/sessions',
    scope: 'run',
    work: true,
    tag: 'sessions',
    summary: 'Open a tool session',
    description:
      'A separate world that stays open over many calls. A session is its log of calls: it outlives the process that serves it, and any replica can continue it.',
    body: OpenToolSession,
    bodyLimit: 16 * 2 ** 20,
    success: {
      201: {
        description: 'Opened. Location has the URL of the session',
        schema: ToolSession,
        example: exampleSession,
      },
    },
    errors: [400, 409, 413, 415, 422],
    example: exampleOpen,
  },
  getSession: {
    method: 'GET',
    path: '/v1/sessions/:id',
    scope: 'read',
    tag: 'sessions',
    summary: 'Get a tool session',
    description: 'The session’s status, its number of calls, and its tools.',
    params: IdParams,
    success: { 200: { description: 'The session', schema: ToolSession, example: exampleSession } },
    errors: [400, 404],
  },
  callSession: {
    method: 'POST',
    path: '/v1/sessions/:id/calls',
    scope: 'run',
    tag: 'sessions',
    summary: 'Call tools of a session',
    description:
      'Runs the calls in order and returns the API’s responses, including errors. Sending the same calls with the same index again changes nothing and returns the same results. 409 if the log has a different call at that index, if the index is not the next one, if the session has ended, or if it belongs to an evaluation, a build or an episode.',
    params: IdParams,
    body: CallToolSession,
    bodyLimit: 16 * 2 ** 20,
    success: { 200: { description: 'The results, in order', schema: ToolResults, example: exampleResults } },
    errors: [400, 404, 409, 413, 415, 422],
    example: exampleCalls,
  },
  listSessionCalls: {
    method: 'GET',
    path: '/v1/sessions/:id/calls',
    scope: 'read',
    tag: 'sessions',
    summary: 'List the calls of a session',
    description: 'The session’s log: every call with its reply, in order.',
    params: IdParams,
    query: PositionQuery,
    success: {
      200: {
        description: 'A page of calls',
        schema: definePage(LoggedToolCall),
        example: { items: [exampleLogged] },
      },
    },
    errors: [400, 404],
  },
  closeSession: {
    method: 'POST',
    path: '/v1/sessions/:id/close',
    scope: 'run',
    tag: 'sessions',
    summary: 'Close a tool session',
    description:
      'Ends the session and returns its world’s state as one observation. Closing it again returns the same observation.',
    params: IdParams,
    body: CloseToolSession,
    success: { 200: { description: 'The observation', schema: ExecutionResult, example: exampleClosed } },
    errors: [400, 404, 409, 413, 415],
    example: { result: { added: 1 } },
  },
})
