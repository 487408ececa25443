import type { Call, HttpCall } from '@stateeval/contracts'
import type { KnownAnswers } from '../known.ts'
import { isCall } from '../../expr.ts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { placesOf } from '../positions.ts'

export const plainList: MutationOperator = {
  id: 'plain_list',
  about: 'A plain list replaces a query, so that items that do not match are included',
  sites(program, facts) {
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program)) {
      const list = isCall(step) && step.kind === 'http' && step.binds && facts && findListingCall(step, facts)
      if (list)
        sites.push(
          new StepSite(
            program,
            place,
            () => [list],
            () => `: ${step.api}`,
          ),
        )
    }
    return sites
  },
}

/** The call that lists what the query chooses from: the one to the path that the query's begins with. */
function findListingCall(query: HttpCall, { calls }: KnownAnswers): Call | undefined {
  for (const { api, call } of calls) {
    if (call.kind !== 'http' || call.method !== 'GET' || call.query || !isQuery(query, call.path)) continue
    const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
    const args = Object.fromEntries(Object.entries(query.args).filter(([name]) => names.includes(name)))
    const { query: _, body: _body, ...rest } = query
    return { ...rest, api, method: 'GET', path: call.path, args }
  }
  return undefined
}

const isQuery = ({ path, query, body }: HttpCall, list: string) =>
  (query !== undefined || body !== undefined) && path.startsWith(`${list}/`)
