/** Limits of a project: requests and work, a budget per period, and how long its resources are kept. */
import Type, { type Static, type TSchema } from 'typebox'
import { ProjectId } from './access.ts'

const closedObject = { additionalProperties: false } as const
/** Absent: the installation's default. null: no limit, whatever the default. */
const defineLimit = <T extends TSchema>(value: T) => Type.Optional(Type.Union([value, Type.Null()]))
const defineWholeNumber = (description: string, minimum = 0, maximum = 1_000_000_000) =>
  Type.Integer({ minimum, maximum, description })
const defineAmount = (description: string) => Type.Number({ minimum: 0, maximum: 1e12, description })

export const ProjectBudget = Type.Object(
  {
    periodDays: defineLimit(
      defineWholeNumber(
        'Length of a period in days, counted from 1970-01-01 UTC. Default: a calendar month',
        1,
        366,
      ),
    ),
    promptTokens: defineLimit(defineWholeNumber('Tokens that models read', 0, 1e15)),
    completionTokens: defineLimit(defineWholeNumber('Tokens that models write', 0, 1e15)),
    usd: defineLimit(
      defineAmount('Cost of model requests, at the prices in the models’ settings, in US dollars'),
    ),
    cpuSeconds: defineLimit(defineAmount('CPU time of programs in the sandbox')),
  },
  closedObject,
)
export type ProjectBudget = Static<typeof ProjectBudget>

export const ProjectLimits = Type.Object(
  {
    requestsPerSecond: defineLimit(
      defineWholeNumber('Maximum number of requests per second to all services together', 1, 1_000_000),
    ),
    requestKiB: defineLimit(defineWholeNumber('Largest body of a request, in KiB', 1, 262_144)),
    evaluations: defineLimit(defineWholeNumber('Maximum number of concurrent evaluations')),
    builds: defineLimit(defineWholeNumber('Maximum number of concurrent benchmark builds')),
    episodes: defineLimit(defineWholeNumber('Maximum number of open episodes')),
    queuedExecutions: defineLimit(defineWholeNumber('Executions requested over HTTP that have not ended')),
    streams: defineLimit(defineWholeNumber('Maximum number of streams of tasks')),
    budget: Type.Optional(ProjectBudget),
  },
  { ...closedObject, description: 'Absent: the installation’s default. null: no limit' },
)
export type ProjectLimits = Static<typeof ProjectLimits>

export const ProjectLimitsResource = Type.Object(
  {
    project: ProjectId,
    own: Type.Object({ ...ProjectLimits.properties }, closedObject),
    effective: Type.Object(
      { ...ProjectLimits.properties },
      { ...closedObject, description: 'The project’s own limits, completed by the installation’s defaults' },
    ),
  },
  closedObject,
)
export type ProjectLimitsResource = Static<typeof ProjectLimitsResource>

export const RetentionPeriods = Type.Object(
  {
    days: defineLimit(
      defineWholeNumber(
        'Age in days after which ended resources are deleted. Absent: the default. null: never',
        1,
        36_500,
      ),
    ),
  },
  closedObject,
)
export type RetentionPeriods = Static<typeof RetentionPeriods>

export const RetentionResource = Type.Object(
  {
    project: ProjectId,
    own: Type.Object({ ...RetentionPeriods.properties }, closedObject),
    effective: Type.Object({ ...RetentionPeriods.properties }, closedObject),
  },
  closedObject,
)
export type RetentionResource = Static<typeof RetentionResource>

/** The quantities that a budget can limit. */
export const budgetParts = ['promptTokens', 'completionTokens', 'usd', 'cpuSeconds'] as const
export type BudgetPart = (typeof budgetParts)[number]

const Used = Type.Object(
  {
    requests: Type.Integer({ description: 'Admitted requests to all services' }),
    modelRequests: Type.Integer({ description: 'Requests to models' }),
    promptTokens: Type.Integer(),
    completionTokens: Type.Integer(),
    usd: Type.Number({
      description: 'Cost at the prices of the models’ settings; models without prices cost 0',
    }),
    cpuSeconds: Type.Number(),
  },
  closedObject,
)
export type UsedAmounts = Static<typeof Used>

const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'A day, in UTC' })
export const ProjectUsage = Type.Object(
  {
    project: ProjectId,
    from: Day,
    until: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'The first day after the period' }),
    used: Used,
    limits: Type.Object({ ...ProjectLimits.properties }, closedObject),
    exhausted: Type.Array(Type.Enum(budgetParts, { type: 'string' }), {
      description: 'Parts of the budget that are used up in this period',
    }),
    running: Type.Object(
      {
        evaluations: Type.Integer(),
        builds: Type.Integer(),
        episodes: Type.Integer({ description: 'Episodes whose lease has not ended' }),
        executions: Type.Integer({ description: 'Executions that were requested over HTTP' }),
        streams: Type.Integer({ description: 'Streams of tasks that exist' }),
      },
      { ...closedObject, description: 'Numbers of running resources' },
    ),
    storedBytes: Type.Integer({ description: 'Size of the project’s documents and artifacts now' }),
  },
  closedObject,
)
export type ProjectUsage = Static<typeof ProjectUsage>
