/** World models: any API as a scenario, named by its model's digest. */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'

const prefix = 'world@sha256:'

/** Id of the scenario of a model, and of its world. */
export const formatWorldId = (hash: string) => `${prefix}${hash}`

/** The hash of the model that a scenario's id names; null for a scenario with code of its own. */
export function parseWorldId(id: string): string | null {
  const hash = id.startsWith(prefix) ? id.slice(prefix.length) : ''
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null
}

/** The artifacts that a scenario is made of: its model, if it has one. */
export function listWorldArtifacts(scenario: string | undefined): string[] {
  const hash = scenario === undefined ? null : parseWorldId(scenario)
  return hash === null ? [] : [hash]
}

/** The name of a scenario in the ids of its cases. */
export function formatScenarioName(id: string): string {
  const hash = parseWorldId(id)
  return hash === null ? id : `world-${hash.slice(0, 12)}`
}

/** The name of a scenario in reports, which say what answered programs: a real backend, or a model. */
export const describeScenario = (id: string) =>
  parseWorldId(id) === null ? id : `${formatScenarioName(id)} (modelled)`

export const WorldDigest = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'The digest of what the model predicts. Reasons and confirmations do not change it',
})
export const WorldParams = Type.Object({ digest: WorldDigest })

/** The service checks the parts, and names the place of a fault. */
export const WorldDocument = Type.Object(
  {
    schema: Type.Literal('stateeval-world/1'),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    types: defineRecord(Type.Unknown(), { description: 'The kinds of things, by name' }),
    operations: defineRecord(Type.Unknown(), { description: 'What each operation does, by its id' }),
    facts: defineRecord(Type.Unknown(), { description: 'Reasons by JSON pointer into the model' }),
  },
  {
    additionalProperties: true,
    description: 'A world model, as `npx stateeval world infer` and `world probe` write it',
  },
)
export type WorldDocument = Static<typeof WorldDocument>

const Count = Type.Integer({ minimum: 0 })
export const WorldModelResource = Type.Object(
  {
    digest: WorldDigest,
    title: Type.String(),
    scenario: Type.String({ description: 'The id of the scenario, to build benchmarks with' }),
    types: Count,
    operations: Count,
    callable: Type.Integer({ minimum: 0, description: 'Operations that programs can call' }),
    createdAt: Type.String({ format: 'date-time' }),
    links: defineRecord(Type.String()),
  },
  { additionalProperties: false },
)
export type WorldModelResource = Static<typeof WorldModelResource>

export const WorldModelDetail = Type.Object(
  { ...WorldModelResource.properties, model: WorldDocument },
  { additionalProperties: false },
)
