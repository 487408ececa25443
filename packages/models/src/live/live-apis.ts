/** Live APIs declared in a file: a JSON object of their settings, by the names that benchmarks use. */
import { isRecord, LiveApi, LiveApiName } from '@stateeval/contracts'
import { findBaseUrlFault } from '../base-url.ts'
import { findExtrasFault } from '../extras.ts'
import type { ModelRules } from '../settings.ts'

/** How a value is held against a schema: the chassis brings its validator. */
type FaultOf = (
  schema: typeof LiveApi | typeof LiveApiName,
  value: unknown,
) => { field: string; says: string } | null

/** The file's APIs by name. Throws an error with the file, the API, the field and a remedy. */
export function readLiveApis(
  file: string,
  text: string,
  rules: ModelRules,
  faultOf: FaultOf,
): Map<string, LiveApi> {
  const refuse = (where: string, says: string): never => {
    throw new Error(`${file}${where && `, ${where}`}: ${says}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuse('', `is not valid JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  if (!isRecord(value))
    return refuse(
      '',
      'must be an object of APIs by name, such as {"booking": {"baseUrl": "https://api.example"}}',
    )
  const apis = new Map<string, LiveApi>()
  for (const [name, settings] of Object.entries(value)) {
    if (faultOf(LiveApiName, name))
      refuse(JSON.stringify(name), 'names may contain only letters, digits, dots, dashes and underscores')
    const fault = faultOf(LiveApi, settings) ?? findApiFault(settings as LiveApi, rules)
    if (fault) refuse(`${name}${fault.field}`, fault.says)
    apis.set(name, settings as LiveApi)
  }
  return apis
}

function findApiFault(api: LiveApi, { env, networks }: ModelRules): { field: string; says: string } | null {
  const fault = findBaseUrlFault(api.baseUrl, networks)
  return fault === null ? findExtrasFault(api, env) : { field: '/baseUrl', says: `baseUrl ${fault}` }
}
