import type { HttpCall, Program } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import type { KnownAnswers } from '../known.ts'
import type { MutationOperator } from '../operator.ts'
import { formatPosition, placesOf, withStep } from '../positions.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
type EndpointChange = Pick<HttpCall, 'method' | 'path'>

export const wrongEndpoint: MutationOperator = {
  id: 'wrong_endpoint',
  about:
    'A call goes to a different endpoint: a different method, or a path with a missing or additional part',
  sites: (program, facts) =>
    placesOf(program).flatMap(([place, step]) => {
      if (!isCall(step) || step.kind !== 'http') return []
      return [...listOtherEndpoints(step)].map(({ method, path }) => ({
        where: `${formatPosition(place)}: ${step.method} ${step.path} → ${method} ${path}`,
        change: () =>
          withStep(program, place, { ...step, method, path, api: findApi(program, { method, path }, facts) }),
      }))
    }),
}

function* listOtherEndpoints({ method, path, args }: HttpCall): Iterable<EndpointChange> {
  for (const other of methods) if (other !== method) yield { method: other, path }
  const segments = path.split('/')
  // The paper's Example 1 is a path without its prefix.
  if (segments.length > 3 && !segments[1]?.startsWith('{'))
    yield { method, path: `/${segments.slice(2).join('/')}` }
  if (segments.length > 3) yield { method, path: segments.slice(0, -1).join('/') }
  // Exchanged parts of the path are the operator swapped_arguments.
  if (Object.hasOwn(args, 'value')) yield { method, path: `${path}/{value}` }
}

/** Finds the API that the changed call belongs to, as far as endpoints are known. */
function findApi(
  program: Program,
  { method, path }: EndpointChange,
  facts: KnownAnswers | undefined,
): string {
  for (const { api, call } of facts?.calls ?? [])
    if (call.kind === 'http' && call.method === method && call.path === path) return api
  const httpCalls = placesOf(program).flatMap(([, step]) =>
    isCall(step) && step.kind === 'http' ? [step] : [],
  )
  return httpCalls.find((call) => call.method === method && call.path === path)?.api ?? 'unknown'
}
