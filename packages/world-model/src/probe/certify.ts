/** Certificates: how far a live API does what its model predicts, and which facts the calls would refute. */
import { defineRecord } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import Type, { type Static } from 'typebox'
import { computeModelDigest } from '../canonical.ts'
import type { WorldModel } from '../model.ts'
import { getUnknownKind } from '../unknown.ts'
import type { LiveHost } from './probe.ts'
import { type CallTranscript, recordTranscript, replayAll, replayTranscript } from './transcript.ts'
import { applyVariant, listVariants } from './variants.ts'

const certificateSchema = 'stateeval-world-certificate/1'
const Count = Type.Integer({ minimum: 0 })
/** How far an API agreed with a model, once. */
export const WorldCertificate = Type.Object(
  {
    schema: Type.Literal(certificateSchema),
    world: Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'Digest of the model' }),
    at: Type.String(),
    seed: Type.Integer(),
    sequences: Count,
    length: Count,
    calls: Count,
    agreed: Count,
    byOperation: defineRecord(Type.Object({ calls: Count, agreed: Count }, { additionalProperties: false })),
    /** Changes of one fact: refuted by some call, or by none. */
    refuted: Count,
    unproven: Type.Array(Type.String()),
    masked: Type.Array(Type.String()),
    firstDifference: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type WorldCertificate = Static<typeof WorldCertificate>

export interface CertifyOptions {
  sequences?: number
  length?: number
  seed?: number
  /** The time of the certificate. */
  at: string
  onProgress?: (text: string) => void
  /** Ends at the first sequence with a difference. */
  stopsEarly?: boolean
}

/** Calls the API in sequences from an empty world, and compares call by call. */
export async function certifyWorld(
  model: WorldModel,
  host: LiveHost,
  { sequences = 40, length = 25, seed = 1, at, onProgress = () => {}, stopsEarly = false }: CertifyOptions,
): Promise<{ certificate: WorldCertificate; model: WorldModel }> {
  const transcripts: CallTranscript[] = []
  for (let n = 0; n < sequences; n++) {
    await host.reset()
    const rng = createRng(`certify ${seed} ${n}`)
    const transcript = await recordTranscript(model, host.send, rng, {
      length,
      prefix: host.prefix,
      faults: 0.08,
    })
    transcripts.push(transcript)
    onProgress(`${n + 1} of ${sequences} sequences`)
    if (stopsEarly && replayTranscript(model, transcript).differences.length > 0) break
  }
  await host.reset()
  const { calls, agreed, differences } = replayAll(model, transcripts)
  const [first] = differences
  const kills = countRefutations(model, transcripts)
  return {
    certificate: {
      schema: certificateSchema,
      world: computeModelDigest(model),
      at,
      seed,
      sequences: transcripts.length,
      length,
      calls,
      agreed,
      byOperation: countByOperation(model, transcripts),
      refuted: kills.filter(({ count }) => count > 0).length,
      unproven: kills.filter(({ count }) => count === 0).map(({ text }) => text),
      masked: Object.entries(model.types).flatMap(([name, { masked = [] }]) =>
        masked.map((pointer) => `${name}${pointer}`),
      ),
      ...(first && { firstDifference: formatDifference(transcripts, first) }),
    },
    model: confirmFacts(model, kills),
  }
}

/** For each change of one fact, the calls that the model predicts and the changed one does not. */
function countRefutations(model: WorldModel, transcripts: readonly CallTranscript[]) {
  const { agreed } = replayAll(model, transcripts)
  return listVariants(model).map((variant) => ({
    place: variant.place,
    text: `${variant.place} = ${JSON.stringify(variant.value) ?? 'left out'}`,
    count: agreed - replayAll(applyVariant(model, variant), transcripts).agreed,
  }))
}

/** A fact is confirmed by the calls that each of its changes would get wrong. */
function confirmFacts(model: WorldModel, kills: readonly { place: string; count: number }[]): WorldModel {
  const facts = { ...model.facts }
  for (const [place, all] of Map.groupBy(kills, (kill) => kill.place)) {
    const confirmed = Math.max(0, Math.min(...all.map(({ count }) => count)))
    const known = facts[place]
    if (known) facts[place] = { ...known, confirmed }
  }
  return { ...model, facts }
}

function countByOperation(model: WorldModel, transcripts: readonly CallTranscript[]) {
  const counts: WorldCertificate['byOperation'] = {}
  for (const transcript of transcripts) {
    const wrong = new Set(replayTranscript(model, transcript).differences.map(({ step }) => step))
    transcript.forEach(({ call }, step) => {
      const count = (counts[call.operation] ??= { calls: 0, agreed: 0 })
      count.calls++
      if (!wrong.has(step)) count.agreed++
    })
  }
  return counts
}

function formatDifference(
  transcripts: readonly CallTranscript[],
  { step, operation, kind, place, expected, actual }: ReturnType<typeof replayAll>['differences'][number],
): string {
  const call = transcripts
    .flatMap((transcript) => transcript.slice(step, step + 1))
    .find((one) => one.call.operation === operation)
  const shown = (value: unknown) =>
    getUnknownKind(value as string) === null
      ? (JSON.stringify(value)?.slice(0, 200) ?? 'nothing')
      : 'a value of the server'
  return `call ${step + 1}, ${operation} ${JSON.stringify(call?.call.args ?? {}).slice(0, 200)}: ${kind}${place === '' ? '' : ` at ${place}`}, expected ${shown(expected)}, was ${shown(actual)}`
}
