/** Mechanical checks of a task's request against the specification of its API. */
import { getOwnMember } from '@stateeval/contracts'
import { buildExpectedRequest } from '../capture/sound.ts'
import type { RequestConfiguration } from '../case.ts'
import { isDocumentedSoundly, isSpecial } from '../judge/documented.ts'
import { words } from '../judge/published.ts'
import type { SpecifiedEndpoints } from '../specification/endpoints.ts'
import { locations, specified } from '../specification/types.ts'

/**
 * Faults of tasks: a `broken` task can't be judged at all; an `odd` one is kept unchanged, with a warning.
 */
interface TaskFindings {
  broken: string[]
  odd: string[]
}

export function checkConfig(config: RequestConfiguration, endpoints: SpecifiedEndpoints): TaskFindings {
  const match = endpoints.sound(config.url, config.method)
  if (!match) return { broken: [`config.url ${config.url} is not an endpoint of the specification`], odd: [] }
  const operation = getOwnMember(match.endpoint.operations, config.method)
  if (!operation)
    return {
      broken: [`config.method ${config.method} is not defined for ${match.endpoint.template}`],
      odd: [],
    }
  const odd: string[] = []
  const { headers, params, data, family } = buildExpectedRequest(config, () => operation, false)
  const named = { headers, params, data }
  const body = family === undefined ? {} : { family }
  for (const location of locations) {
    if (location === 'path_params') continue
    const place = location === 'data' ? undefined : specified[location]
    for (const name of Object.keys(named[location]))
      if (
        !(location === 'headers' && isSpecial(name)) &&
        !isDocumentedSoundly(endpoints.specification, operation, { location, name }, body)
      )
        odd.push(
          `config.${location}.${name} is undocumented: ${config.method.toUpperCase()} ${match.endpoint.template} has no such ${words[location]}`,
        )
    for (const parameter of operation.parameters)
      if (
        parameter.required &&
        parameter.in === place &&
        !isToken(parameter.name) &&
        !Object.keys(named[location]).includes(parameter.name)
      )
        odd.push(`config.${location}.${parameter.name} is missing, which the specification requires`)
  }
  return { broken: [], odd }
}

/** Slack documents its token as a parameter; tasks send it as the Authorization header. */
const isToken = (name: string) => name.toLowerCase() === 'token' || name.toLowerCase() === 'authorization'
