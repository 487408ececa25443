/**
 * Controlled mutations of an expected request, with what must be said of each: what is not right, by
 * location. `published` and `sound` are summaries as in summary.ts; the same where only one stands there.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { CapturedCall } from '../capture/captured.ts'
import type { RequestConfiguration } from '../case.ts'

interface Mutation {
  name: string
  captured: CapturedCall
  published: string
  sound: string
}
type Fields = Record<string, JsonValue>
const special = ['Accept', 'Content-Type']
const unknown = 'zz_unknown'

/** The request as axios would have it. */
function capturedOf({ url, method, headers = {}, params, data }: RequestConfiguration): CapturedCall {
  const form = headers['Content-Type'] === 'multipart/form-data'
  return {
    method,
    url,
    headers: { ...(headers as Fields) },
    ...(params && { params }),
    ...(data && {
      data: form ? Object.entries(data).map(([name, value]) => [name, String(value)]) : JSON.stringify(data),
      dataType: form ? 'form-data' : 'string',
    }),
  }
}
const with_ = (
  config: RequestConfiguration,
  location: 'headers' | 'params' | 'data',
  change: (fields: Fields) => void,
): RequestConfiguration => {
  const fields = structuredClone((config[location] ?? {}) as Fields)
  change(fields)
  return { ...config, [location]: fields }
}

const locations = ['headers', 'params', 'data'] as const

/** All that apply to a request. What they name must be unknown to the specification: `zz_unknown`. */
export function mutationsOf(config: RequestConfiguration): Mutation[] {
  const mutations: Mutation[] = []
  const raw = (name: string, captured: CapturedCall, published: string, sound = published) =>
    mutations.push({ name, captured, published, sound })
  const add = (name: string, changed: RequestConfiguration, published: string, sound = published) =>
    raw(name, capturedOf(changed), published, sound)
  add('nothing', config, 'correct')
  for (const location of locations) {
    const names = Object.keys(config[location] ?? {}).filter(
      (name) => location !== 'headers' || !special.includes(name),
    )
    // Values of a multipart form are texts.
    const form = location === 'data' && config.headers?.['Content-Type'] === 'multipart/form-data'
    for (const name of names) {
      const value = (config[location] as Fields)[name] as JsonValue
      const set = (other: JsonValue) => with_(config, location, (fields) => (fields[name] = other))
      add(
        `drop ${location}.${name}`,
        with_(config, location, (fields) => delete fields[name]),
        `wrong missing/${location}`,
      )
      add(
        `rename ${location}.${name}`,
        with_(config, location, (fields) => {
          fields[unknown] = value
          delete fields[name]
        }),
        `illegal missing/${location} illegal/${location}`,
      )
      add(
        `another value of ${location}.${name}`,
        set(typeof value === 'string' ? `${value}~` : '~'),
        `wrong incorrect/${location}`,
      )
      if (location !== 'headers')
        add(
          `null as ${location}.${name}`,
          set(null),
          `wrong incorrect/${location}`,
          location === 'params' ? `wrong missing/${location}` : `wrong incorrect/${location}`,
        )
      if (typeof value === 'number' && !form) {
        const soundVerdict = location === 'params' ? 'correct' : `wrong incorrect/${location}`
        add(`${location}.${name} as a text`, set(String(value)), `wrong incorrect/${location}`, soundVerdict)
        add(`another number in ${location}.${name}`, set(value + 1), `wrong incorrect/${location}`)
      }
      if (typeof value === 'boolean') {
        add(`${location}.${name} as a number`, set(Number(value)), 'correct', `wrong incorrect/${location}`)
        add(`${location}.${name} turned`, set(!value), `wrong incorrect/${location}`)
        add(
          `${location}.${name} as a text`,
          set(String(value)),
          `wrong incorrect/${location}`,
          location === 'params' ? 'correct' : `wrong incorrect/${location}`,
        )
      }
      if (Array.isArray(value))
        add(`one more in ${location}.${name}`, set([...value, '~']), `wrong incorrect/${location}`)
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        add(`one more in ${location}.${name}`, set({ ...value, [unknown]: 1 }), `wrong incorrect/${location}`)
      if (location === 'headers')
        add(
          `${name} in lower case`,
          with_(config, location, (fields) => {
            fields[name.toLowerCase()] = value
            delete fields[name]
          }),
          `illegal missing/${location} illegal/${location}`,
          'correct',
        )
    }
    add(
      `one more in ${location}`,
      with_(config, location, (fields) => (fields[unknown] = 'x')),
      `illegal illegal/${location}`,
    )
    add(
      `two more in ${location}`,
      with_(config, location, (fields) => {
        fields[unknown] = 'x'
        fields[`${unknown}_2`] = 'y'
      }),
      `illegal illegal/${location}:2`,
    )
  }
  const { headers = {}, params = {}, data = {} } = config
  if (headers['Authorization'] !== undefined) {
    const bare = with_(config, 'headers', (fields) => delete fields['Authorization'])
    add(
      'Authorization in params',
      with_(bare, 'params', (fields) => (fields['Authorization'] = headers['Authorization'] as JsonValue)),
      'illegal missing/headers illegal/params',
    )
  }
  add(
    'another Accept',
    with_(config, 'headers', (fields) => (fields['Accept'] = 'text/html')),
    'correct',
  )
  add(
    'a Content-Type that says nothing',
    with_(config, 'headers', (fields) => (fields['Content-Type'] = String(fields['Content-Type'] ?? 'a/b'))),
    'correct',
  )
  add(
    'a URL that isn’t there',
    { ...config, url: `${config.url}/zz/zz/zz/zz` },
    withoutPath(config, 'illegal url/illegal'),
  )
  if (Object.keys(data).length > 0) {
    const n = Object.keys(data).length
    raw('no body', { ...capturedOf(config), data: null, dataType: 'null' }, `wrong missing/data${many(n)}`)
    raw(
      'a number as the body',
      { ...capturedOf(config), data: 5, dataType: 'number' },
      `illegal missing/data${many(n)} illegal/data`,
    )
    raw(
      'a broken JSON body',
      { ...capturedOf(config), data: '{', dataType: 'string' },
      'runtime_error',
      `illegal missing/data${many(n)} illegal/data`,
    )
    raw(
      'a native FormData',
      { ...capturedOf(config), data: [], dataType: 'FormData' },
      'runtime_error',
      `wrong missing/data${many(n)}`,
    )
  }
  if (Object.keys(params).length > 0) {
    const n = Object.keys(params).length
    raw(
      'a list of params',
      { ...capturedOf(config), params: ['a'] },
      `illegal missing/params${many(n)} illegal/params`,
    )
    raw(
      'URLSearchParams',
      { ...capturedOf(config), params: {}, uri: `${config.url}?${query(params)}` },
      `wrong missing/params${many(n)}`,
      'correct',
    )
    const hasNonText = Object.values(params).some((value) => typeof value !== 'string')
    if (!Object.values(params).some((value) => typeof value === 'object'))
      raw(
        'all in the URL',
        { ...bareOf(config), url: `${config.url}?${query(params)}` },
        hasNonText
          ? `wrong incorrect/params${many(Object.values(params).filter((value) => typeof value !== 'string').length)}`
          : 'correct',
        'correct',
      )
  } else
    raw(
      'a query mark alone',
      { ...capturedOf(config), url: `${config.url}?` },
      'illegal illegal/params',
      'correct',
    )
  raw(
    'a broken percent sign',
    { ...capturedOf(config), url: `${config.url}?${unknown}=%zz` },
    'runtime_error',
    'illegal illegal/params',
  )
  return mutations
}

const many = (n: number) => (n > 1 ? `:${n}` : '')
const query = (params: Fields) =>
  Object.entries(params)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((one) => [`${name}[]`, one]) : [[name, value]],
    )
    .map(([name, value]) => `${encodeURIComponent(String(name))}=${encodeURIComponent(String(value))}`)
    .join('&')
const bareOf = (config: RequestConfiguration): CapturedCall => {
  const { params: _, ...rest } = capturedOf(config)
  return rest
}
/** Without an endpoint there are no path parameters. */
const pathValues = new WeakMap<RequestConfiguration, number>()
export const knowPathValues = (config: RequestConfiguration, n: number) => pathValues.set(config, n)
const withoutPath = (config: RequestConfiguration, summary: string) => {
  const n = pathValues.get(config) ?? 0
  return n > 0 ? `${summary} missing/path_params${many(n)}` : summary
}
