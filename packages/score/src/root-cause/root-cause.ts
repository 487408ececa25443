/**
 * Why a case failed (StateEval, section IV-F), read from what the run shows: requests, statuses, ids, RESULT. A rule
 * names the evidence that it rests on; the first that holds decides, from the plainest sign to the faintest.
 */
import type { Evidence, Observation, RootCause } from '@stateeval/contracts'
import type { Judgement } from '../verdicts.ts'
import { runLabels } from '../evidence-text.ts'
import { type Endpoint, endpointName, type Matched, matchEndpoint, tally } from './requests.ts'

export interface RootCauseSituation extends Judgement {
  /** The run of the input that failed; absent where there was none. */
  observation?: Observation
  /** The calls that the reference makes on this input, in order. */
  expectedCalls: readonly Endpoint[]
  /** Every endpoint that the documentation names. */
  endpoints: readonly Endpoint[]
  resultKeys: readonly string[]
}
type Cause = NonNullable<Evidence['rootCause']>

/** The cause with its evidence; null for what passed and for what is no fault of the candidate's. */
export function rootCause(situation: RootCauseSituation): Cause | null {
  const { verdict } = situation
  switch (verdict) {
    case 'passed':
    case 'infrastructure_error':
      return null
    case 'no_code':
      return because('instruction_not_followed', 'the answer holds no code')
    case 'syntax_error':
      return because('instruction_not_followed', 'the answer is no program that can be run')
    case 'execution_error':
    case 'result_error':
    case 'timeout':
    case 'resource_limit':
      return fromRun(situation)
  }
}

const because = (cause: RootCause, says: string): Cause => ({ cause, because: says })

function fromRun(situation: RootCauseSituation): Cause {
  const rules = [undocumented, refusedByApi, staleOrUnknownId, loop, unknownName, missingPart, resultKeys, calls, values]
  for (const rule of rules) {
    const cause = rule(situation)
    if (cause) return cause
  }
  return because('instruction_not_followed', 'the requests are the expected ones, but what they lead to is not')
}

/** Requests that fit an endpoint; those that fit none are dealt with by `undocumented`. */
function matched({ observation, endpoints }: RootCauseSituation): Matched[] {
  return (observation?.log ?? []).flatMap((request) => {
    const match = matchEndpoint(request, endpoints)
    return match ? [{ request, ...match }] : []
  })
}

function undocumented({ observation, endpoints }: RootCauseSituation): Cause | null {
  const labels = runLabels(observation?.world ?? null)
  const request = observation?.log.find((sent) => !matchEndpoint(sent, endpoints))
  if (!request) return null
  const path = labels.text('found', (request.path.split('?')[0] as string).slice(0, 200))
  return because('documentation_misread', `${request.method} ${path} is no endpoint of the documentation; it answered ${request.status}`)
}

/** A documented endpoint that refused the request's form: parameters or body were misread. */
function refusedByApi(situation: RootCauseSituation): Cause | null {
  const refused = matched(situation).find(({ request }) => request.status >= 400 && request.status !== 404 && request.status < 500)
  if (!refused) return null
  return because(
    'documentation_misread',
    `${endpointName(refused.endpoint)} answered ${refused.request.status}: the request does not have the documented form`,
  )
}

/** A documented endpoint that did not find the item: it is gone already, or the id was never one. */
function staleOrUnknownId(situation: RootCauseSituation): Cause | null {
  const world = situation.observation?.world
  const missed = matched(situation).find(({ request, endpoint }) => request.status === 404 && endpoint.path.endsWith('}'))
  if (!missed) return null
  const id = Object.values(missed.segments).at(-1) ?? ''
  const issued = world?.ids.initial.includes(id) || world?.ids.created.includes(id)
  const says = world?.gone.some((item) => item.id === id)
    ? 'an item that had been deleted by then'
    : issued
      ? 'an item with the source or type of another'
      : 'an id that the service never issued'
  return because('implicit_state_mismanaged', `${endpointName(missed.endpoint)} was sent for ${says}`)
}

function loop({ verdict, observation }: RootCauseSituation): Cause | null {
  if (verdict !== 'timeout' && verdict !== 'resource_limit') return null
  const last = observation?.log.at(-1)
  const repeated = observation?.log.filter(({ method, path }) => method === last?.method && path === last?.path).length ?? 0
  if (repeated > 20) return because('implicit_state_mismanaged', 'the code repeats one request and waits for a state that does not come')
  return because('instruction_not_followed', 'the code does more than the instruction asks for, or never ends')
}

function unknownName({ evidence: { error } }: RootCauseSituation): Cause | null {
  if (error?.name !== 'ReferenceError' && error?.name !== 'NameError') return null
  return because('instruction_not_followed', `the code uses a name that is not given: ${error.message}`)
}

/** The code read a part of a value that is not there. */
function missingPart({ evidence: { error }, observation }: RootCauseSituation): Cause | null {
  if (!error || !['TypeError', 'KeyError', 'IndexError', 'AttributeError'].includes(error.name)) return null
  const last = observation?.log.at(-1)
  if (!last) return because('instruction_not_followed', `the code failed before its first request: ${error.message}`)
  if (last.responseBody?.trim() === '[]')
    return because('implicit_state_mismanaged', `the code expects an element of an answer that is empty: ${error.message}`)
  return because('documentation_misread', `the code reads a part that the answer does not have: ${error.message}`)
}

function resultKeys({ verdict, observation, resultKeys: keys }: RootCauseSituation): Cause | null {
  if (verdict !== 'result_error' || !observation) return null
  const { ending } = observation
  if (ending.status === 'no_result') return because('instruction_not_followed', `RESULT was not set: ${ending.reason}`)
  if (ending.status !== 'completed') return null
  if (ending.result === null || typeof ending.result !== 'object' || Array.isArray(ending.result))
    return because('instruction_not_followed', 'RESULT is no object with the keys that the instruction names')
  const missing = keys.filter((key) => !Object.hasOwn(ending.result as object, key))
  if (missing.length > 0) return because('instruction_not_followed', `RESULT lacks ${missing.join(', ')}`)
  return null
}

/** Requests that change something, fewer or more than the instruction asks for. */
function calls(situation: RootCauseSituation): Cause | null {
  const writes = (endpoint: Endpoint) => endpoint.method !== 'GET'
  const made = matched(situation)
    .filter(({ request }) => request.status < 400)
    .map(({ endpoint }) => endpoint)
  const { missing, extra } = tally(situation.expectedCalls.filter(writes), made.filter(writes))
  const [few, many] = [missing[0], extra[0]]
  if (few) return because('instruction_not_followed', `${few[0]} was sent ${times(few[1])} less than the instruction asks for`)
  if (many) return because('instruction_not_followed', `${many[0]} was sent ${times(many[1])} more than the instruction asks for`)
  return null
}
const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

/** The right requests with other items or values. */
function values({ verdict, evidence: { differences } }: RootCauseSituation): Cause | null {
  if (verdict !== 'result_error') return null
  const ids = differences.find(({ says }) =>
    /the id of |should have been deleted|should still be there|no id of this run|ids are not used/.test(says),
  )
  if (ids) return because('implicit_state_mismanaged', `another item than the expected one was used: ${ids.says}`)
  const [first] = differences
  return first ? because('instruction_not_followed', `a value is not what the instruction says: ${first.says}`) : null
}
