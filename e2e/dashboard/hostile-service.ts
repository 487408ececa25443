/**
 * A service whose every text is hostile: it answers with the contract's own examples, each of their texts and
 * names followed by what would run, load or restyle something if it ever became HTML.
 */
import type { AddressInfo } from 'node:net'
import {
  type EvaluationResource,
  type EvaluationSummary,
  evaluationOperations,
  type HttpOperation,
  type ReferenceAnswer,
  type SampleDetail,
  type SampleTable,
} from '@stateeval/contracts'
import { fastify } from 'fastify'
import { readFileFrame, serveDashboard } from '../../services/evaluation/src/dashboard/files.ts'
import { writePageOf } from '../../services/evaluation/src/exports/page.ts'

const hostile =
  '</title></script></style><img src=x onerror="owned()"><script>owned()</script><style>*{display:none}</style>' +
  '<a href="javascript:owned()">x</a>{{7*7}}${owned()}\u202e\u0000'

/** What the page must read rightly to show anything: forms of the contract, not texts of others. */
const forms = new Set(
  [
    'id',
    'kind',
    'status',
    'createdAt',
    'finishedAt',
    'startedAt',
    'next',
    'role',
    'prompting',
    'language',
  ].concat(
    ...[
      'documentation',
      'languages',
      'promptings',
      'scopes',
      'method',
      'test',
      'kinds',
      'translator',
      'diedAt',
      'at',
    ],
  ),
)
/** Objects whose names are a benchmark's or a model's own. */
const named = new Set([
  'groups',
  'verdicts',
  'rootCauses',
  'explanations',
  'sandboxes',
  'parties',
  'help',
  'metrics',
  'versions',
])

function withHostile(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return forms.has(key) ? value : `${value}${hostile}`
  if (Array.isArray(value)) return value.map((one) => withHostile(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      named.has(key) ? `${name}${hostile}` : name,
      withHostile(one, name),
    ]),
  )
}

type Answers = Readonly<Record<string, unknown>>

/** A page that opens from disk, with such texts in its data, or with `change` as they are. */
export async function hostileFile(change?: Answers): Promise<string> {
  const of = <T>(id: keyof typeof evaluationOperations): T => {
    const [answer] = Object.values((evaluationOperations as Record<string, HttpOperation>)[id]!.success)
    return (change ? (change[id] ?? answer!.example) : withHostile(answer!.example)) as T
  }
  const frame = await readFileFrame()
  if (!frame) throw new Error('the page is not built')
  const detail = of<SampleDetail>('getEvaluationSample')
  const asked = {
    frame,
    evaluation: of<EvaluationResource>('getEvaluation'),
    summary: of<EvaluationSummary>('getEvaluationSummary'),
    samples: 'failed' as const,
    madeAt: '2026-11-22T10:00:00.000Z',
  }
  async function* all() {
    yield { detail, reference: of<ReferenceAnswer>('getBenchmarkReference') }
  }
  async function* rows() {
    yield of<SampleTable>('listEvaluationSamples').items
  }
  const pieces = await Array.fromAsync(writePageOf(asked, rows(), all(), () => 1))
  return pieces.join('')
}

/** A stream that ends at once: it tells of an evaluation with such texts. */
const eventsOf = ({ listEvaluations }: Answers, told: typeof withHostile) => {
  const { items } = listEvaluations as { items: readonly unknown[] }
  return `event: evaluation\ndata: ${JSON.stringify(told(items[0]))}\n\n`
}

/** `change` are answers in place of the examples; `told` is what becomes of an answer's texts. */
export async function startHostileService(change: Answers = {}, told: typeof withHostile = withHostile) {
  const app = fastify({ routerOptions: { maxParamLength: 5_000 } })
  await serveDashboard(app)
  const operations: Record<string, HttpOperation> = evaluationOperations
  const offer = { issuer: 'https://login.example.com/', authorizationEndpoint: '', parameters: {} }
  app.get('/sign-in/provider', async () => told(offer))
  for (const [id, { method, path: url, success }] of Object.entries(operations)) {
    const [status, answer] = Object.entries(success)[0] ?? []
    if (answer?.contentType === 'text/event-stream')
      app.get(url, (_request, reply) => reply.type('text/event-stream').send(eventsOf(change, told)))
    if (!answer || answer.contentType !== undefined) continue
    app.route({
      method,
      url,
      handler: async (_request, reply) => reply.code(Number(status)).send(told(change[id] ?? answer.example)),
    })
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { base: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, stop: () => app.close() }
}
