/** A task's request as JavaScript, in the ways in which people write it. */
import type { RequestConfiguration } from '../case.ts'
import { isSpecial } from '../judge/documented.ts'
import { emitLiteral, type LiteralStyle, usual } from './literal.ts'

interface CallStyle {
  name: string
  /** The published evaluator finds no call in these, or another one. */
  soundOnly?: true
  write(config: RequestConfiguration): string
}

type EmittedFields = Record<string, unknown>
/** Headers that axios doesn't set by itself. */
function listOwnHeaders({ headers = {}, data }: RequestConfiguration): EmittedFields {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        !isSpecial(name) || (name === 'Content-Type' && data !== undefined && value !== 'application/json'),
    ),
  )
}
const hasBody = (method: string) => ['post', 'put', 'patch'].includes(method)

/** The arguments behind the URL. */
function emitArguments(config: RequestConfiguration, how: LiteralStyle): string[] {
  const { method, params, data } = config
  const headers = listOwnHeaders(config)
  const options: EmittedFields = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(params && { params }),
    ...(!hasBody(method) && data && { data }),
  }
  const rest = Object.keys(options).length > 0 ? [emitLiteral(options, how)] : []
  return hasBody(method)
    ? [...(data ? [emitLiteral(data, how)] : rest.length ? ['null'] : []), ...rest]
    : rest
}

/** `axios.post('…', …)`, its begin being that of the starter code under both setups. */
export function callText(config: RequestConfiguration, how: LiteralStyle = usual): string {
  const { method, url } = config
  const rest = emitArguments(config, how)
  const quoted = how.quote === "'" ? `'${url}'` : JSON.stringify(url)
  return `axios.${method}(${quoted},${rest.map((one, n) => `${n > 0 ? ',' : ''} ${one}`).join('')})`
}

const emitConfig = (config: RequestConfiguration, how: LiteralStyle = usual, more: EmittedFields = {}) => {
  const { method, url, params, data } = config
  const headers = listOwnHeaders(config)
  return emitLiteral(
    {
      method,
      url,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(params && { params }),
      ...(data && { data }),
      ...more,
    },
    how,
  )
}
const quoted: LiteralStyle = { quote: '"', names: 'quoted', indent: 2 }
const dense: LiteralStyle = { quote: "'", names: 'bare', indent: 0 }

export const styles: readonly CallStyle[] = [
  { name: 'plain', write: (config) => `${callText(config)};\n` },
  { name: 'JSON', write: (config) => `${callText(config, quoted)};\n` },
  { name: 'one line', write: (config) => `${callText(config, dense)};\n` },
  {
    name: 'then',
    write: (config) =>
      `${callText(config)}\n  .then((response) => {\n    console.log(response.data.id);\n  })\n  .catch((error) => console.error(error));\n`,
  },
  {
    name: 'awaited',
    write: (config) => `const response = await ${callText(config)};\nconsole.log(response.data);\n`,
  },
  {
    name: 'wrapped',
    write: (config) =>
      `async function main() {\n  try {\n    const { data } = await ${callText(config)};\n    return data;\n  } catch (error) {\n    throw error;\n  }\n}\nmain();\n`,
  },
  { name: 'without a semicolon, in a fence', write: (config) => `${callText(config)}\n\`\`\`\n` },
  {
    name: 'another call behind',
    write: (config) => `${callText(config)};\n\naxios.get('https://example.com/other');\n`,
  },
  { name: 'axios(config)', soundOnly: true, write: (config) => `axios(${emitConfig(config)});\n` },
  {
    name: 'axios.request',
    soundOnly: true,
    write: (config) => `axios.request(${emitConfig(config, quoted)}).then((r) => r.data);\n`,
  },
  {
    name: 'an instance',
    soundOnly: true,
    write: (config) => {
      const { origin, pathname } = new URL(config.url.replaceAll('<', '%3C').replaceAll('>', '%3E'))
      const path = config.url.slice(origin.length)
      return pathname === '/'
        ? `axios(${emitConfig(config)})`
        : `const client = axios.create({ baseURL: '${origin}' });\nclient.request(${emitConfig({ ...config, url: `https://x.y${path}` }).replace('https://x.y', '')});\n`
    },
  },
  {
    name: 'variables before the call',
    soundOnly: true,
    write: (config) =>
      `const url = ${emitLiteral(config.url, usual)};\nconst config = ${emitConfig({ ...config, url: 'https://a.b' })};\naxios({ ...config, url });\n`,
  },
  {
    name: 'a wrapper that nothing calls',
    soundOnly: true,
    write: (config) =>
      `const run = async () => {\n  const response = await ${callText(config)};\n  return response.data;\n};\n`,
  },
  {
    name: 'an unfinished handler',
    soundOnly: true,
    write: (config) => `axios(${emitConfig(config)}).then((response) => {\n  console.log(`,
  },
  {
    name: 'an import',
    soundOnly: true,
    write: (config) =>
      `import http from 'axios';\nexport const result = await http(${emitConfig(config)});\n`,
  },
]
