/** The requests that axios’s HTTP adapter supports here: those with a text response. */
import { bail } from './host.ts'

type Config = Record<string, unknown>
const textual = new Set<unknown>([undefined, 'json', 'text'])
const elsewhere = [
  'httpAgent',
  'httpsAgent',
  'proxy',
  'transport',
  'lookup',
  'socketPath',
  'beforeRedirect',
  'onUploadProgress',
  'onDownloadProgress',
  'maxRate',
  'signal',
  'cancelToken',
] as const

export function guardConfig(config: Config, adapter: (config: Config) => Promise<unknown>): Promise<unknown> {
  if (!textual.has(config['responseType'])) bail(`responseType ${String(config['responseType'])}`)
  const option = elsewhere.find((name) => config[name] !== undefined && config[name] !== null)
  if (option !== undefined) bail(`the option ${option}`)
  return adapter(config)
}
