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
const formatSuiteCommand = (text: string) => `\`npx stateeval ${text}\``

const evaluationCommands: Partial<Record<keyof typeof evaluationOperations, InCommands>> = {
  createBenchmark: () => formatSuiteCommand('build'),
  writeBenchmark: () => formatSuiteCommand('build --spec FILE'),
  checkConformance: () => formatSuiteCommand('check FILE --spec SPECIFICATION'),
  planBenchmark: () => formatSuiteCommand('build --spec FILE --dry-run'),
  makeBenchmark: () => formatSuiteCommand('build --samples N'),
  importBenchmark: () => formatSuiteCommand('evaluate --benchmark FOLDER'),
  importDataset: () => formatSuiteCommand('import BENCHMARK FOLDER'),
  listBenchmarks: () => formatSuiteCommand('list benchmarks'),
  getBenchmark: ({ id }) => formatSuiteCommand(`show ${id}`),
  listBenchmarkCases: ({ id }) => formatSuiteCommand(`export ${id} --out FILE`),
  listReviews: ({ id }) => formatSuiteCommand(`review ${id}`),
  decideReview: (values) => formatSuiteCommand(`review ${values.id} ${values.case} accept|reject|edit`),
  createReviewedBenchmark: ({ id }) => formatSuiteCommand(`review ${id} --apply`),
  getBenchmarkPrompts: ({ id }) => formatSuiteCommand(`prompts --benchmark ${id}`),
  getBenchmarkRecording: ({ id }) => formatSuiteCommand(`recording ${id}`),
  cancelBenchmark: ({ id }) => formatSuiteCommand(`cancel ${id}`),
  putModel: ({ name }, _, message) => formatSuiteCommand(`model ${name} ${findSettingOption(message)}`),
  getModel: ({ name }) => formatSuiteCommand(`model ${name}`),
  probeModel: ({ name }) => formatSuiteCommand(`model ${name} --probe`),
  listModels: () => formatSuiteCommand('list models'),
  createEvaluation: () => formatSuiteCommand('evaluate'),
  listEvaluations: () => formatSuiteCommand('list evaluations'),
  getEvaluation: ({ id }) => formatSuiteCommand(`report ${id}`),
  getEvaluationReport: ({ id }) => formatSuiteCommand(`report ${id}`),
  getEvaluationResults: ({ id }) => formatSuiteCommand(`report ${id}`),
  listEvaluationSamples: ({ id }) => formatSuiteCommand(`export ${id} --out FILE`),
  getEvaluationAnswers: ({ id }) => formatSuiteCommand(`answers ${id}`),
  getEvaluationRecording: ({ id }) => formatSuiteCommand(`recording ${id}`),
  deleteEvaluation: ({ id }) => formatSuiteCommand(`delete ${id} --yes`),
  deleteBenchmark: ({ id }) => formatSuiteCommand(`delete ${id} --yes`),
  cancelEvaluation: ({ id }) => formatSuiteCommand(`cancel ${id}`),
  resumeEvaluation: ({ id }, body) => formatSuiteCommand(`resume ${id}${findBudgetOption(body)}`),
  rescoreEvaluation: ({ id }) => formatSuiteCommand(`rescore ${id}`),
  importRecording: () => '--recording FILE',
  checkGate: ({ id }) => formatSuiteCommand(`gate ${id} --gate 80%`),
  createComparison: () => formatSuiteCommand('compare EVALUATION EVALUATION'),
  listComparisons: () => formatSuiteCommand('compare EVALUATION EVALUATION'),
  exportReports: () => formatSuiteCommand('export reports --out FILE'),
  exportSamples: ({ id }) => formatSuiteCommand(`export ${id} --out FILE`),
  exportRecord: ({ id }) => formatSuiteCommand(`export ${id} --format every-eval-ever --out FILE`),
  exportSampleRecords: ({ id }) =>
    formatSuiteCommand(`export ${id} --format every-eval-ever --samples --out FILE`),
  exportPage: ({ id }) => formatSuiteCommand(`report ${id} --format html --out FILE`),
  exportInspectLog: ({ id }) => formatSuiteCommand(`export ${id} --format inspect --out FOLDER`),
  exportCases: ({ id }) => formatSuiteCommand(`export ${id} --out FILE`),
  getBenchmarkCard: ({ id }) => formatSuiteCommand(`export ${id} --format dataset --out FOLDER`),
  createKey: () => formatSuiteCommand('keys create --name NAME'),
  listKeys: () => formatSuiteCommand('keys'),
  revokeKey: ({ id }) => formatSuiteCommand(`keys revoke ${id}`),
  createProject: () => formatSuiteCommand('projects create ID'),
  listProjects: () => formatSuiteCommand('projects'),
  deleteProject: ({ id }) => formatSuiteCommand(`projects delete ${id}`),
  getProjectLimits: ({ id }) => formatSuiteCommand(`projects limits ${id}`),
  setProjectLimits: ({ id }) => formatSuiteCommand(`projects limits ${id} NAME=VALUE`),
  getProjectUsage: ({ id }) => formatSuiteCommand(`projects usage ${id}`),
  getRetention: ({ id }) => formatSuiteCommand(`projects retention ${id}`),
  setRetention: ({ id }) => formatSuiteCommand(`projects retention ${id} DAYS`),
  listDeadLetters: () => formatSuiteCommand('dead-letters'),
  getDeadLetter: ({ id }) => formatSuiteCommand(`dead-letters show ${id}`),
  createWebhook: () => formatSuiteCommand('webhooks create --url URL'),
  listWebhooks: () => formatSuiteCommand('webhooks'),
  updateWebhook: ({ id }) => formatSuiteCommand(`webhooks resume ${id}`),
  listDeliveries: ({ id }) => formatSuiteCommand(`webhooks deliveries ${id}`),
  createWorldModel: () => formatSuiteCommand('world push FILE'),
  listWorldModels: () => formatSuiteCommand('list worlds'),
  getWorldModel: ({ digest }) => formatSuiteCommand(`world pull ${digest}`),
  deleteWorldModel: ({ digest }) => formatSuiteCommand(`delete ${digest} --yes`),
  createStream: () => formatSuiteCommand('streams create --scenario SCENARIO'),
  listStreams: () => formatSuiteCommand('streams'),
  getStream: ({ id }) => formatSuiteCommand(`streams show ${id}`),
  getStreamTask: ({ id, index }) => formatSuiteCommand(`streams task ${id} ${index}`),
  revealStream: ({ id }) => formatSuiteCommand(`streams reveal ${id} --yes`),
  deleteStream: ({ id }) => formatSuiteCommand(`streams delete ${id} --yes`),
  discardDeadLetter: ({ id }) => formatSuiteCommand(`dead-letters discard ${id}`),
  redriveDeadLetter: ({ id }) => formatSuiteCommand(`dead-letters redrive ${id}`),
}
/** The option for the setting of a model that a message is about. */
const findSettingOption = (message: string) =>
  /there is no model "[^"]*" at /.test(message)
    ? '--model-id ID'
    : /keyEnv|it rejects the key|the key or its name/.test(message)
      ? '--key-env NAME'
      : /the model’s parameters|max_tokens|timeoutMs/.test(message)
        ? '--model-file FILE'
        : '--base-url URL'
const findBudgetOption = (body: string) =>
  body.includes('"tokens"') ? ' --budget-tokens N' : body.includes('"usd"') ? ' --budget-usd DOLLARS' : ''

const others: Readonly<Record<string, InCommands>> = {
  createExecution: () => formatSuiteCommand('run FILE --scenario SCENARIO'),
  createGeneration: () => formatSuiteCommand('generate --scenario SCENARIO'),
}

interface KnownPhrase {
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
const patterns: readonly KnownPhrase[] = Object.entries(all).flatMap(([id, { method, path }]) => {
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

const formatPlaceholder = (text: string) =>
  text.startsWith('{') ? text.slice(1, -1).toUpperCase() : decodeText(text)
function decodeText(text: string): string {
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
  systemRole: '--system-role',
}
const settingNames = new RegExp(`(?<![\\w"./])(${Object.keys(settings).join('|')})(?![\\w"])`, 'g')

/**
 * The text with commands in place of requests, and options in place of settings of models. Requests without
 * an equivalent command stay.
 */
export function replaceRequests(text: string): string {
  let result = text.replace(settingNames, (name) => settings[name]!)
  if (!text.includes(' /v1/')) return result
  for (const { pattern, names, command } of patterns)
    result = result.replace(pattern, (...groups: (string | undefined)[]) => {
      const values = Object.fromEntries(
        names.map((name, at) => [name, formatPlaceholder(groups[at + 1] ?? '')]),
      )
      const body = groups[names.length + 1]
      return command(values, typeof body === 'string' ? body : '', text)
    })
  return result
}
