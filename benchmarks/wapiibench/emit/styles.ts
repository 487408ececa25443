/** A task's request as JavaScript, in the ways in which people write it. */
import type { Config } from '../case.ts'
import { isSpecial } from '../judge/documented.ts'
import { literal, type Literals, usual } from './literal.ts'

interface Style {
  name: string
  /** The published evaluator finds no call in these, or another one. */
  soundOnly?: true
  write(config: Config): string
}

type Fields = Record<string, unknown>
/** Headers that axios doesn't set by itself. */
function headersOf({ headers = {}, data }: Config): Fields {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        !isSpecial(name) || (name === 'Content-Type' && data !== undefined && value !== 'application/json'),
    ),
  )
}
const bodied = (method: string) => ['post', 'put', 'patch'].includes(method)

/** The arguments behind the URL. */
function argumentsOf(config: Config, how: Literals): string[] {
  const { method, params, data } = config
  const headers = headersOf(config)
  const options: Fields = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(params && { params }),
    ...(!bodied(method) && data && { data }),
  }
  const rest = Object.keys(options).length > 0 ? [literal(options, how)] : []
  return bodied(method) ? [...(data ? [literal(data, how)] : rest.length ? ['null'] : []), ...rest] : rest
}

/** `axios.post('…', …)`, its begin being that of the starter code under both setups. */
export function callText(config: Config, how: Literals = usual): string {
  const { method, url } = config
  const rest = argumentsOf(config, how)
  const quoted = how.quote === "'" ? `'${url}'` : JSON.stringify(url)
  return `axios.${method}(${quoted},${rest.map((one, n) => `${n > 0 ? ',' : ''} ${one}`).join('')})`
}

const configText = (config: Config, how: Literals = usual, more: Fields = {}) => {
  const { method, url, params, data } = config
  const headers = headersOf(config)
  return literal(
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
const quoted: Literals = { quote: '"', names: 'quoted', indent: 2 }
const dense: Literals = { quote: "'", names: 'bare', indent: 0 }

export const styles: readonly Style[] = [
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
  { name: 'axios(config)', soundOnly: true, write: (config) => `axios(${configText(config)});\n` },
  {
    name: 'axios.request',
    soundOnly: true,
    write: (config) => `axios.request(${configText(config, quoted)}).then((r) => r.data);\n`,
  },
  {
    name: 'an instance',
    soundOnly: true,
    write: (config) => {
      const { origin, pathname } = new URL(config.url.replaceAll('<', '%3C').replaceAll('>', '%3E'))
      const path = config.url.slice(origin.length)
      return pathname === '/'
        ? `axios(${configText(config)})`
        : `const client = axios.create({ baseURL: '${origin}' });\nclient.request(${configText({ ...config, url: `https://x.y${path}` }).replace('https://x.y', '')});\n`
    },
  },
  {
    name: 'variables before the call',
    soundOnly: true,
    write: (config) =>
      `const url = ${literal(config.url, usual)};\nconst config = ${configText({ ...config, url: 'https://a.b' })};\naxios({ ...config, url });\n`,
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
    write: (config) => `axios(${configText(config)}).then((response) => {\n  console.log(`,
  },
  {
    name: 'an import',
    soundOnly: true,
    write: (config) =>
      `import http from 'axios';\nexport const result = await http(${configText(config)});\n`,
  },
]
