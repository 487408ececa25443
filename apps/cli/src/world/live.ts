/** `world probe` and `world certify`: calls to a live API, with a budget and clean-up. */
import type { LiveRequest, ProbedWorld, WorldCertificate, WorldModel } from '@stateeval/world-model'
import { Failure } from '../command.ts'
import { formatPlural } from '../report/format.ts'
import { readText, unreadable } from '../text-file.ts'
import type { CommandTerminal } from '../terminal.ts'
import { refuseCleanly } from './source.ts'

export interface LiveOptions {
  url?: string
  allow: readonly string[]
  reset?: string
  authEnv?: string
  budget: number
  prefix: string
  seed: number
  sequences: number
}

/** Reads a model, or says what is wrong with it and where. */
export async function readModel(file: string): Promise<WorldModel> {
  const text = await readText(file).catch(
    unreadable(`${file} cannot be read; it should contain a world model`),
  )
  const { findModelFault } = await import('@stateeval/world-model')
  const value = parseJson(text, file)
  const fault = findModelFault(value)
  if (fault) throw new Failure(`${file}: ${fault.field || 'the model'} ${fault.says}.`)
  return value as WorldModel
}
function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(
      `${file} is not JSON. Make a model with: npx stateeval world infer DOCUMENT --out ${file}`,
    )
  }
}

/** `POST /reset`, or `DELETE /data`. */
export function parseReset(text: string): LiveRequest {
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(text.trim()) ?? []
  if (method === undefined || path === undefined)
    throw new Failure(`Cannot read --reset ${text}. Use a method and a path, such as "POST /reset".`)
  return { method, path }
}

async function openHost(
  model: WorldModel,
  options: LiveOptions,
  env: Readonly<Record<string, string | undefined>>,
) {
  const { createCaller, createHost } = await import('@stateeval/live-world')
  if (options.url === undefined) throw new Failure('Where is the API? Name its address with --url.')
  const secret = options.authEnv === undefined ? undefined : env[options.authEnv]
  if (options.authEnv !== undefined && secret === undefined)
    throw new Failure(`${options.authEnv} is not set. It should hold the value of the Authorization header.`)
  const caller = createCaller({
    baseUrl: options.url,
    allow: options.allow,
    budget: options.budget,
    ...(secret !== undefined && { headers: { authorization: secret } }),
  })
  const reset = options.reset === undefined ? undefined : parseReset(options.reset)
  return { caller, host: createHost(model, caller, { prefix: options.prefix, ...(reset && { reset }) }) }
}

/** The requests that probing may send, without sending any. */
export function planProbe(model: WorldModel): { operation: string; request: string; writes: boolean }[] {
  return Object.entries(model.operations).map(([operation, { request, effect }]) => ({
    operation,
    request: request.kind === 'http' ? `${request.method} ${model.base ?? ''}${request.path}` : request.tool,
    writes: effect !== 'read' && effect !== 'list' && effect !== 'search',
  }))
}

interface ProbeReport extends ProbedWorld {
  sent: number
  /** Items that could not be deleted. */
  left: number
}

/** Probes an API; deletes what it made, whatever happens. */
export async function probeApi(
  model: WorldModel,
  options: LiveOptions,
  terminal: CommandTerminal,
): Promise<ProbeReport> {
  const { probeWorld } = await import('@stateeval/world-model')
  return refuseCleanly(async () => {
    const { caller, host } = await openHost(model, options, process.env)
    try {
      const probed = await probeWorld(model, host, {
        seed: options.seed,
        onProgress: (text) => terminal.step(text),
      })
      return { ...probed, sent: caller.count(), left: await host.cleanUp() }
    } catch (error) {
      await host.cleanUp().catch(() => 0)
      throw error
    }
  })
}

export function formatProbe({
  model,
  dropped,
  corrected,
  masked,
  agreed,
  calls,
  sent,
  left,
}: ProbeReport): string {
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [`${title}:\n${items.map((item) => `  ${item}`).join('\n')}`] : []
  return [
    `${formatPlural(sent, 'call')} sent. The model predicts ${agreed} of the last ${calls}.`,
    `It has ${formatPlural(Object.keys(model.types).length, 'type')} and ${formatPlural(Object.keys(model.operations).length, 'operation')}.`,
    ...list('Corrected', corrected),
    ...list('Masked, as no fact explains them', masked),
    ...list(
      'Dropped',
      dropped.map(({ what, reason }) => `${what}: ${reason}`),
    ),
    ...(left > 0
      ? [`${formatPlural(left, 'item')} could not be deleted; their names begin with the prefix.`]
      : []),
  ].join('\n\n')
}

/** Certifies a model; the model with the number of calls that confirm each fact. */
export async function certifyApi(
  model: WorldModel,
  options: LiveOptions,
  terminal: CommandTerminal,
  stopsEarly = false,
): Promise<{ certificate: WorldCertificate; model: WorldModel }> {
  const { certifyWorld } = await import('@stateeval/world-model')
  return refuseCleanly(async () => {
    const { host } = await openHost(model, options, process.env)
    try {
      return await certifyWorld(model, host, {
        seed: options.seed,
        sequences: options.sequences,
        at: new Date().toISOString(),
        onProgress: (text) => terminal.progress(text),
        stopsEarly,
      })
    } finally {
      await host.cleanUp().catch(() => 0)
    }
  })
}

export function formatCertificate(certificate: WorldCertificate): string {
  const { world, calls, agreed, sequences, refuted, unproven, masked, firstDifference } = certificate
  const share = calls === 0 ? '–' : `${((100 * agreed) / calls).toFixed(1)} %`
  return [
    `${world}\n${agreed} of ${formatPlural(calls, 'call')} as predicted (${share}), in ${formatPlural(sequences, 'sequence')}.`,
    `${refuted} of ${refuted + unproven.length} changes of one fact are refuted by some call.`,
    ...(unproven.length > 0 ? [`Not refuted:\n${unproven.map((text) => `  ${text}`).join('\n')}`] : []),
    ...(masked.length > 0 ? [`Masked:\n${masked.map((text) => `  ${text}`).join('\n')}`] : []),
    ...(firstDifference === undefined ? [] : [`First difference: ${firstDifference}`]),
  ].join('\n\n')
}

/** Reads a certificate of this model. */
export async function readCertificate(file: string, model: WorldModel): Promise<WorldCertificate> {
  const text = await readText(file).catch(
    unreadable(`${file} cannot be read; it should contain a certificate`),
  )
  const { computeModelDigest, WorldCertificate: schema } = await import('@stateeval/world-model')
  const { findSchemaFault } = await import('@stateeval/contracts')
  const value = parseJson(text, file)
  const fault = findSchemaFault(schema, value)
  if (fault) throw new Failure(`${file}: ${fault.field || 'the certificate'} ${fault.says}.`)
  const certificate = value as WorldCertificate
  if (certificate.world !== computeModelDigest(model))
    throw new Failure(`${file} is the certificate of another model: ${certificate.world}. Certify this one.`)
  return certificate
}
