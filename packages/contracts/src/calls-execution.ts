/** A list of calls to run instead of code. */
import Type, { type Static } from 'typebox'
import { type CallsRequest, ListedCall } from './episode.ts'
import { ExecutionRequest } from './execution.ts'

const { world, inputs, limits, seeds } = ExecutionRequest.properties

/** Limit of a list of calls. */
export const maxListedCalls = 10_000

/**
 * Calls made one after the other against a world's tools. A text `$label$` or `$label.path$` in arguments,
 * also within lists and objects, refers to an earlier result or a part of it, or to a variable of the
 * input.
 */
export const CallsExecutionRequest = Type.Object(
  {
    calls: Type.Array(ListedCall, {
      minItems: 1,
      maxItems: maxListedCalls,
      description:
        'Calls to make in order, until one fails. RESULT is the list of their results. $label$ and $label.path[0].name$ in arguments stand for an earlier result',
    }),
    binding: Type.Union([Type.Literal('name'), Type.Literal('position')], {
      description:
        'How arguments reach the parameters of a tool: by their names, or by their position in the order written',
    }),
    world,
    inputs,
    limits,
    seeds,
  },
  { additionalProperties: false },
)
export type CallsExecutionRequest = Static<typeof CallsExecutionRequest>

/** Requests to execution: code, or a list of calls. */
export const AnyExecutionRequest = Type.Union([ExecutionRequest, CallsExecutionRequest])
export type AnyExecutionRequest = Static<typeof AnyExecutionRequest>

/** The execution request of an episode's list of calls. */
export const buildCallsRequest = ({
  calls,
  binding,
  world: where,
  inputs: requestInputs,
  limits: bounds,
}: CallsRequest): CallsExecutionRequest => ({
  calls: [...calls],
  binding,
  world: where,
  inputs: [...requestInputs],
  ...(bounds && { limits: bounds }),
})
