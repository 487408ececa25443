/**
 * JSON Schemas of each command's --json output. Resources of the services come from the contracts; the rest
 * is described here. Only the command `schema` and tests load this.
 */
import {
  BenchmarkResource,
  Certificate,
  evaluationOperations,
  GateVerdict,
  GenerationStatistics,
  type HttpOperation,
  Observation,
  Program,
  Report,
  RuntimeInfo,
  StalledJob,
  WorldDocument,
} from '@stateeval/contracts'
import Type, { type TSchema } from 'typebox'

/** Gets the answer schema of an operation. */
function getAnswerSchema(id: keyof typeof evaluationOperations): TSchema {
  const { success } = evaluationOperations[id] as HttpOperation
  const schemas = Object.values(success).flatMap((one) => ('schema' in one && one.schema ? [one.schema] : []))
  return uniteSchemas(...schemas)
}
const uniteSchemas = (...schemas: TSchema[]): TSchema =>
  schemas.length === 1 ? schemas[0]! : Type.Union(schemas)
const getListSchema = (id: keyof typeof evaluationOperations): TSchema =>
  (getAnswerSchema(id) as TSchema & { properties: { items: TSchema } }).properties.items

const defineOptional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = Type.String()
const count = Type.Integer({ minimum: 0 })
const anything = Type.Unknown()
const defineNullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const defineDone = (status: string) => Type.Object({ id: text, status: Type.Literal(status) })

const Part = Type.Object({
  name: text,
  status: Type.Union([Type.Literal('up'), Type.Literal('not ready'), Type.Literal('down')]),
  pid: defineNullable(Type.Integer()),
  url: text,
  version: defineNullable(text),
  since: defineNullable(text),
  detail: defineNullable(text),
})
const Egress = Type.Object({ from: text, to: text, settings: Type.Array(text), when: defineOptional(text) })
const { languages, unavailable, interpreters, versions, layers } = RuntimeInfo.properties
/** The running execution service; absent where none answers. */
const runtime = {
  languages: defineOptional(languages),
  unavailable: defineOptional(unavailable),
  interpreters: defineOptional(interpreters),
}

const Doctor = Type.Object({
  ok: Type.Boolean({ description: 'Whether everything that the suite needs is available' }),
  findings: Type.Array(
    Type.Object({
      what: text,
      status: Type.Union([Type.Literal('ok'), Type.Literal('missing'), Type.Literal('optional')]),
      detail: Type.String({
        description: 'The description, or the reason that it is missing, with the remedy',
      }),
    }),
  ),
  levels: defineOptional(Type.Array(Type.Object({ level: text, works: Type.Boolean(), detail: text }))),
  problem: defineOptional(Type.String({ description: 'Why this machine cannot run programs' })),
  ...runtime,
  versions: defineOptional(versions),
  layers: defineOptional(layers),
})

const Reference = Type.Object({ case: text, reason: text })
const Imported = Type.Object({
  ...BenchmarkResource.properties,
  references: defineOptional(
    Type.Object({ passed: count, failed: Type.Array(Reference), unchecked: Type.Array(Reference) }),
  ),
})
const Ended = Type.Object({
  ...Report.properties,
  evaluation: Type.String({ description: 'Its id' }),
  gate: defineOptional(GateVerdict),
})
const Rescored = Type.Object({
  ...Ended.properties,
  rescored: Type.String({ description: 'The evaluation whose samples were scored again' }),
  changes: Type.Array(
    Type.Object({
      from: Type.String({ description: 'The verdict before' }),
      to: text,
      samples: Type.Array(Type.String({ description: 'CASE#SAMPLE' })),
    }),
  ),
  comparison: getAnswerSchema('getComparison'),
})
const Verified = Type.Object({
  ...Certificate.properties,
  checks: Type.Object({
    signature: Type.Boolean(),
    key: Type.Boolean({ description: 'Whether it matches the named key' }),
    benchmark: Type.Boolean({ description: 'Whether a benchmark was checked against it' }),
    reproduced: Type.Boolean({ description: 'Whether its figures were measured again' }),
  }),
})
const AttemptPlace = { case: text, sample: count }
const Audited = Type.Object({
  benchmark: text,
  digest: text,
  passed: Type.Boolean({ description: 'Whether every attempt held and nothing was left behind' }),
  ways: Type.Array(
    Type.Object({
      way: Type.String({ description: 'How the cases are answered: language, mode, setup' }),
      evaluations: Type.Object({ reference: text, honest: text, attacked: Type.Array(text), after: text }),
      attempts: Type.Array(
        Type.Object({
          name: text,
          form: text,
          samples: count,
          honest: Type.Number({ description: 'The share of these answers that pass without the attempt' }),
          attacked: defineNullable(Type.Number()),
          notScored: count,
          verdict: Type.Union([
            Type.Literal('held'),
            Type.Literal('scored more'),
            Type.Literal('not scored'),
          ]),
          evidence: Type.Array(Type.Object({ evaluation: text, ...AttemptPlace })),
        }),
      ),
      leftovers: Type.Array(Type.Object({ ...AttemptPlace, before: text, after: text })),
      isUndecided: Type.Boolean(),
    }),
  ),
  notTried: Type.Array(Type.Object({ way: text, name: text, why: text })),
})
const benchmark = getAnswerSchema('getBenchmark')
/** With the folders of this machine that hold it, and with all of its ids. */
const Located = Type.Object({
  ...BenchmarkResource.properties,
  folders: Type.Array(text),
  ids: defineOptional(Type.Array(text)),
})
const table = Type.Object({ title: text, head: Type.Array(text), rows: Type.Array(Type.Array(anything)) })

export const resultSchemas: Readonly<Record<string, TSchema>> = {
  up: Type.Object({ namespace: text, home: text, parts: Type.Array(Part), ...runtime }),
  down: Type.Object({
    ended: Type.Array(Type.Object({ name: text, how: text })),
    purged: Type.Boolean(),
  }),
  status: Type.Object({
    up: Type.Boolean(),
    parts: Type.Array(Part),
    stalled: defineOptional(Type.Array(StalledJob)),
    egress: defineOptional(Type.Array(Egress)),
    ...runtime,
  }),
  doctor: Doctor,
  generate: Type.Object({ programs: Type.Array(Program), statistics: defineOptional(GenerationStatistics) }),
  build: uniteSchemas(benchmark, getAnswerSchema('planBenchmark')),
  world: uniteSchemas(
    Type.Object({
      model: anything,
      counts: anything,
      dropped: Type.Array(Type.Object({ what: text, reason: text })),
      tools: Type.Array(Type.Object({ tool: text, effect: text, noun: text })),
    }),
    Type.Array(Type.Object({ operation: text, request: text, writes: Type.Boolean() })),
    Type.Object({ model: anything, agreed: count, calls: count, sent: count, left: count }),
    Type.Object({ world: text, agreed: count, calls: count, refuted: count, unproven: Type.Array(text) }),
    getAnswerSchema('createWorldModel'),
    WorldDocument,
  ),
  check: Type.Array(
    Type.Object({
      file: text,
      requests: Type.Array(Type.Object({ name: text, faults: Type.Array(text) })),
      fault: defineOptional(text),
    }),
  ),
  import: Imported,
  list: Type.Array(
    uniteSchemas(
      Located,
      getAnswerSchema('getEvaluation'),
      getAnswerSchema('getModel'),
      getAnswerSchema('createWorldModel'),
    ),
  ),
  show: Located,
  review: uniteSchemas(getListSchema('listReviews'), getAnswerSchema('decideReview'), benchmark),
  model: getAnswerSchema('getModel'),
  prompts: Type.Array(Type.Object({ case: text })),
  evaluate: Ended,
  gate: GateVerdict,
  resume: Ended,
  rescore: Rescored,
  cancel: uniteSchemas(benchmark, getAnswerSchema('getEvaluation')),
  tag: getAnswerSchema('getEvaluation'),
  delete: defineDone('deleted'),
  'dead-letters': uniteSchemas(
    getListSchema('listDeadLetters'),
    getAnswerSchema('getDeadLetter'),
    defineDone('discarded'),
    Type.Array(defineDone('discarded')),
    getAnswerSchema('redriveDeadLetter'),
    Type.Array(getAnswerSchema('redriveDeadLetter')),
  ),
  keys: uniteSchemas(
    getListSchema('listKeys'),
    getAnswerSchema('createKey'),
    getAnswerSchema('getCaller'),
    defineDone('revoked'),
  ),
  projects: uniteSchemas(
    getListSchema('listProjects'),
    getAnswerSchema('createProject'),
    getAnswerSchema('getProjectLimits'),
    getAnswerSchema('getProjectUsage'),
    getAnswerSchema('getRetention'),
    defineDone('deleted'),
  ),
  streams: uniteSchemas(
    getListSchema('listStreams'),
    getAnswerSchema('getStream'),
    getAnswerSchema('getStreamTask'),
    Type.Object({ id: text, matches: Type.Boolean(), commitment: text, computed: text }),
    defineDone('deleted'),
  ),
  audit: uniteSchemas(getListSchema('listAudit'), Type.Object({ file: text, entries: count })),
  backup: Type.Object({ project: text, out: text, documents: count }),
  restore: Type.Object({ project: text, inserted: count, present: count }),
  'backup-installation': Type.Object({ file: text, lines: count, removed: Type.Array(text) }),
  'restore-installation': Type.Object({
    drill: Type.Boolean(),
    lines: count,
    projects: defineOptional(count),
    equal: defineOptional(count),
    different: defineOptional(Type.Array(text)),
    deleted: defineOptional(Type.Array(text)),
  }),
  report: Report,
  answers: uniteSchemas(
    Type.Array(Type.Object({ case: text, sample: count, answer: defineOptional(text) })),
    Type.Object({ case: text, reference: anything, samples: Type.Array(Type.Object({ sample: count })) }),
  ),
  compare: getAnswerSchema('getComparison'),
  tables: Type.Array(table),
  paper: Type.Object({
    paper: text,
    exhibits: Type.Array(Type.Object({ id: text, title: text, tables: Type.Array(table) })),
    runs: anything,
  }),
  recording: Type.Array(anything),
  run: Observation,
  webhooks: uniteSchemas(
    getListSchema('listWebhooks'),
    getAnswerSchema('getWebhook'),
    getAnswerSchema('createWebhook'),
    getAnswerSchema('rotateWebhookSecret'),
    getAnswerSchema('pingWebhook'),
    getListSchema('listDeliveries'),
    defineDone('deleted'),
  ),
  export: Type.Object({
    out: text,
    what: defineOptional(text),
    format: defineOptional(text),
    bytes: defineOptional(count),
    benchmark: defineOptional(text),
    digest: defineOptional(text),
    record: defineOptional(anything),
    samples: defineOptional(text),
  }),
  track: Type.Object({ experiment: text, run: text, metrics: count, traces: count }),
  certify: Certificate,
  verify: Verified,
  'audit-benchmark': Audited,
  init: Type.Object({ path: text, url: defineNullable(text) }),
  completion: Type.Object({ shell: text, script: text }),
  schema: Type.Object({}),
}
