/** Live APIs declared in a file: a JSON object of their settings, by the names that benchmarks use. */
import { isRecord, LiveApi, LiveApiName } from '@stateeval/contracts'
import { faultOfBaseUrl } from '../base-url.ts'
import { faultOfKey } from '../key.ts'
import type { ModelRules } from '../settings.ts'

/** How a value is held against a schema: the chassis brings its validator. */
type FaultOf = (
  schema: typeof LiveApi | typeof LiveApiName,
  value: unknown,
) => { field: string; says: string } | null

/** Headers that the request itself decides. */
const reservedHeaders = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
])

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
    const fault = faultOf(LiveApi, settings) ?? faultOfApi(settings as LiveApi, rules)
    if (fault) refuse(`${name}${fault.field}`, fault.says)
    apis.set(name, settings as LiveApi)
  }
  return apis
}

function faultOfApi(
  { baseUrl, keyEnv, keyHeader, headers = {} }: LiveApi,
  { env, networks }: ModelRules,
): { field: string; says: string } | null {
  const fault = faultOfBaseUrl(baseUrl, networks)
  if (fault !== null) return { field: '/baseUrl', says: `baseUrl ${fault}` }
  const wrongKey = keyEnv === undefined ? null : faultOfKey(keyEnv, new URL(baseUrl), env)
  if (wrongKey !== null) return { field: '/keyEnv', says: wrongKey }
  if (keyHeader !== undefined && keyEnv === undefined)
    return { field: '/keyHeader', says: 'keyHeader needs keyEnv; set keyEnv, or remove keyHeader' }
  const reservedHeader = Object.keys(headers).find(
    (name) => reservedHeaders.has(name.toLowerCase()) || name.toLowerCase() === keyHeader?.toLowerCase(),
  )
  return reservedHeader === undefined
    ? null
    : { field: `/headers/${reservedHeader}`, says: `${reservedHeader} is set by the service; remove it` }
}
