/**
 * Messages of services name requests, for callers over HTTP: "resume it: POST /v1/evaluations/ev_1/resume".
 * Users at a terminal type commands, so each request is replaced by the equivalent command. The services'
 * tables of operations recognise requests.
 */
import {
  evaluationOperations,
  executionOperations,
  type HttpOperation,
  scoringOperations,
  traceGenerationOperations,
  translationOperations,
} from '@stateeval/contracts'

/**
 * A request as a command, from the values of its path (`{case}` is CASE), the text of its body, if the
 * message has one, and the whole message.
 */
type InCommands = (values: Record<string, string>, body: string, message: string) => string
const stateeval = (text: string) => `\`npx stateeval ${text}\``

const evaluationCommands: Partial<Record<keyof typeof evaluationOperations, InCommands>> = {
  createBenchmark: () => stateeval('build'),
  writeBenchmark: () => stateeval('build --spec FILE'),
  checkConformance: () => stateeval('check FILE --spec SPECIFICATION'),
  planBenchmark: () => stateeval('build --spec FILE --dry-run'),
  makeBenchmark: () => stateeval('build --samples N'),
  importBenchmark: () => stateeval('evaluate --benchmark FOLDER'),
  importDataset: () => stateeval('import BENCHMARK FOLDER'),
  listBenchmarks: () => stateeval('list benchmarks'),
  getBenchmark: ({ id }) => stateeval(`show ${id}`),
  listBenchmarkCases: ({ id }) => stateeval(`export ${id} --out FILE`),
  listReviews: ({ id }) => stateeval(`review ${id}`),
  decideReview: (values) => stateeval(`review ${values.id} ${values.case} accept|reject|edit`),
  createReviewedBenchmark: ({ id }) => stateeval(`review ${id} --apply`),
  getBenchmarkPrompts: ({ id }) => stateeval(`prompts --benchmark ${id}`),
  getBenchmarkRecording: ({ id }) => stateeval(`recording ${id}`),
  cancelBenchmark: ({ id }) => stateeval(`cancel ${id}`),
  putModel: ({ name }, _, message) => stateeval(`model ${name} ${settingIn(message)}`),
  getModel: ({ name }) => stateeval(`model ${name}`),
  probeModel: ({ name }) => stateeval(`model ${name} --probe`),
  listModels: () => stateeval('list models'),
  createEvaluation: () => stateeval('evaluate'),
  listEvaluations: () => stateeval('list evaluations'),
  getEvaluation: ({ id }) => stateeval(`resume ${id}`),
  getEvaluationReport: ({ id }) => stateeval(`report ${id}`),
  getEvaluationResults: ({ id }) => stateeval(`report ${id}`),
  listEvaluationSamples: ({ id }) => stateeval(`export ${id} --out FILE`),
  getEvaluationAnswers: ({ id }) => stateeval(`answers ${id}`),
  getEvaluationRecording: ({ id }) => stateeval(`recording ${id}`),
  deleteEvaluation: ({ id }) => stateeval(`delete ${id} --yes`),
  deleteBenchmark: ({ id }) => stateeval(`delete ${id} --yes`),
  cancelEvaluation: ({ id }) => stateeval(`cancel ${id}`),
  resumeEvaluation: ({ id }, body) => stateeval(`resume ${id}${budgetIn(body)}`),
  rescoreEvaluation: ({ id }) => stateeval(`rescore ${id}`),
  importRecording: () => '--recording FILE',
  checkGate: ({ id }) => stateeval(`gate ${id} --gate 80%`),
  createComparison: () => stateeval('compare EVALUATION EVALUATION'),
  listComparisons: () => stateeval('compare EVALUATION EVALUATION'),
  exportReports: () => stateeval('export reports --out FILE'),
  exportSamples: ({ id }) => stateeval(`export ${id} --out FILE`),
  exportRecord: ({ id }) => stateeval(`export ${id} --format every-eval-ever --out FILE`),
  exportSampleRecords: ({ id }) => stateeval(`export ${id} --format every-eval-ever --samples --out FILE`),
  exportPage: ({ id }) => stateeval(`report ${id} --format html --out FILE`),
  exportInspectLog: ({ id }) => stateeval(`export ${id} --format inspect --out FOLDER`),
  exportCases: ({ id }) => stateeval(`export ${id} --out FILE`),
  getBenchmarkCard: ({ id }) => stateeval(`export ${id} --format dataset --out FOLDER`),
  createKey: () => stateeval('keys create --name NAME'),
  listKeys: () => stateeval('keys'),
  revokeKey: ({ id }) => stateeval(`keys revoke ${id}`),
  createProject: () => stateeval('projects create ID'),
  listProjects: () => stateeval('projects'),
  deleteProject: ({ id }) => stateeval(`projects delete ${id}`),
  getProjectLimits: ({ id }) => stateeval(`projects limits ${id}`),
  setProjectLimits: ({ id }) => stateeval(`projects limits ${id} NAME=VALUE`),
  getProjectUsage: ({ id }) => stateeval(`projects usage ${id}`),
  getRetention: ({ id }) => stateeval(`projects retention ${id}`),
  setRetention: ({ id }) => stateeval(`projects retention ${id} DAYS`),
  listDeadLetters: () => stateeval('dead-letters'),
  getDeadLetter: ({ id }) => stateeval(`dead-letters show ${id}`),
  createWebhook: () => stateeval('webhooks create --url URL'),
  listWebhooks: () => stateeval('webhooks'),
  updateWebhook: ({ id }) => stateeval(`webhooks resume ${id}`),
  listDeliveries: ({ id }) => stateeval(`webhooks deliveries ${id}`),
  createStream: () => stateeval('streams create --scenario SCENARIO'),
  listStreams: () => stateeval('streams'),
  getStream: ({ id }) => stateeval(`streams show ${id}`),
  getStreamTask: ({ id, index }) => stateeval(`streams task ${id} ${index}`),
  revealStream: ({ id }) => stateeval(`streams reveal ${id} --yes`),
  deleteStream: ({ id }) => stateeval(`streams delete ${id} --yes`),
  discardDeadLetter: ({ id }) => stateeval(`dead-letters discard ${id}`),
  redriveDeadLetter: ({ id }) => stateeval(`dead-letters redrive ${id}`),
}
/** The option for the setting of a model that a message is about. */
const settingIn = (message: string) =>
  /there is no model "[^"]*" at /.test(message)
    ? '--model-id ID'
    : /keyEnv|it rejects the key|the key or its name/.test(message)
      ? '--key-env NAME'
      : /the model’s parameters|max_tokens|timeoutMs/.test(message)
        ? '--model-file FILE'
        : '--base-url URL'
const budgetIn = (body: string) =>
  body.includes('"tokens"') ? ' --budget-tokens N' : body.includes('"usd"') ? ' --budget-usd DOLLARS' : ''

const others: Readonly<Record<string, InCommands>> = {
  createExecution: () => stateeval('run FILE --scenario SCENARIO'),
  createGeneration: () => stateeval('generate --scenario SCENARIO'),
}

interface Known {
  pattern: RegExp
  names: string[]
  command: InCommands
}
const all: Record<string, HttpOperation> = {
  ...scoringOperations,
  ...translationOperations,
  ...traceGenerationOperations,
  ...executionOperations,
  ...evaluationOperations,
}
const commands: Readonly<Record<string, InCommands>> = {
  ...others,
  ...(evaluationCommands as Record<string, InCommands>),
}

/** A value in a path: what is written there, or the name that stands for it. */
const value = String.raw`(\{\w+\}|[\w~%-]+(?:\.[\w~%-]+)*)`
const patterns: readonly Known[] = Object.entries(all).flatMap(([id, { method, path }]) => {
  const command = commands[id]
  if (!command) return []
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  const text = path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, () => value)
  return [
    {
      pattern: new RegExp(String.raw`\b${method} ${text}(?![\w/{])(?: (\{"[^\n]*?\}+))?`, 'g'),
      names,
      command,
    },
  ]
})

const readable = (text: string) => (text.startsWith('{') ? text.slice(1, -1).toUpperCase() : decoded(text))
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Settings of models, whose options `model` and all commands that ask one have. */
const settings: Readonly<Record<string, string>> = {
  baseUrl: '--base-url',
  keyEnv: '--key-env',
  keyHeader: '--key-header',
}
const settingNames = new RegExp(`(?<![\\w"./])(${Object.keys(settings).join('|')})(?![\\w"])`, 'g')

/**
 * The text with commands in place of requests, and options in place of settings of models. Requests without
 * an equivalent command stay.
 */
export function inCommands(text: string): string {
  let result = text.replace(settingNames, (name) => settings[name]!)
  if (!text.includes(' /v1/')) return result
  for (const { pattern, names, command } of patterns)
    result = result.replace(pattern, (...groups: (string | undefined)[]) => {
      const values = Object.fromEntries(names.map((name, at) => [name, readable(groups[at + 1] ?? '')]))
      const body = groups[names.length + 1]
      return command(values, typeof body === 'string' ? body : '', text)
    })
  return result
}
