/** The rules of ARCHITECTURE.md, Layers, as data: who may import whom, and what pure folders do without. */
/** The layers: which others their files may import, and the rule as a sentence. */
export const layers: Record<string, { at: RegExp; mayImport: string[]; rule: string; pure?: true }> = {
  javascript: {
    at: /^packages\/javascript\//,
    mayImport: [],
    pure: true,
    rule: 'a parser knows nothing of ours',
  },
  contracts: {
    at: /^packages\/contracts\//,
    mayImport: [],
    pure: true,
    rule: 'contracts stand below everything',
  },
  presentation: {
    at: /^(packages\/program\/src\/presentation|benchmarks\/[^/]+\/presentation)\/|^benchmarks\/(presentations|folders)\.ts$/,
    mayImport: ['presentation', 'contracts'],
    pure: true,
    rule: 'what is shown of a benchmark imports contracts only: commands load it at every start',
  },
  program: {
    at: /^packages\/program\//,
    mayImport: ['contracts'],
    pure: true,
    rule: 'the IR knows contracts only',
  },
  openapi: {
    at: /^packages\/openapi\//,
    mayImport: ['contracts'],
    pure: true,
    rule: 'the reader of specifications knows contracts only',
  },
  'world-model': {
    at: /^packages\/world-model\//,
    mayImport: ['openapi', 'program', 'contracts'],
    pure: true,
    rule: 'models of worlds know no world: they import openapi, program and contracts',
  },
  'world-scenario': {
    at: /^packages\/world-scenario\/src\//,
    mayImport: ['world-model', 'program', 'contracts'],
    pure: true,
    rule: 'the generic scenario knows no world: it imports world-model, program and contracts',
  },
  answers: {
    at: /^packages\/answers\//,
    mayImport: ['contracts', 'javascript'],
    pure: true,
    rule: 'the reader of answers knows no benchmark: it imports contracts and javascript',
  },
  domain: {
    at: /^packages\/(generate|translate|score)\//,
    mayImport: ['answers', 'program', 'contracts'],
    pure: true,
    rule: 'generate, translate and score import answers, program and contracts; scenarios and benchmarks come as arguments',
  },
  backend: {
    at: /^((scenarios|benchmarks)\/[^/]+|packages\/world-scenario)\/backend\//,
    mayImport: [
      'scenario',
      'benchmark',
      'world-scenario',
      'world-model',
      'program',
      'contracts',
      'sandbox',
      'runtimes',
      'jail',
      'service-kit',
    ],
    rule: "a backend imports its own folder, world-model, service-kit, sandbox's interfaces, runtimes, jail, program and contracts",
  },
  scenario: {
    at: /^scenarios\/[^/]+\//,
    mayImport: ['world-model', 'program', 'contracts'],
    pure: true,
    rule: 'a scenario imports world-model, program and contracts',
  },
  benchmark: {
    at: /^benchmarks\/[^/]+\//,
    mayImport: ['answers', 'domain', 'openapi', 'program', 'contracts', 'javascript'],
    pure: true,
    rule: 'a benchmark imports answers, generate, translate, score, openapi, program, contracts and javascript',
  },
  backends: {
    at: /^(scenarios|benchmarks)\/backends\.ts$/,
    mayImport: ['lists', 'backend', 'sandbox', 'service-kit'],
    rule: 'the list of backends imports backends',
  },
  lists: {
    at: /^(scenarios|benchmarks)\/[^/]+\.ts$/,
    mayImport: [
      'presentation',
      'scenario',
      'benchmark',
      'world-scenario',
      'world-model',
      'program',
      'contracts',
    ],
    pure: true,
    rule: 'a list imports its members, and scenarios of models',
  },
  workflow: {
    at: /^packages\/workflow\//,
    mayImport: [],
    pure: true,
    rule: 'the engine knows nothing of ours: its host stores and sends',
  },
  jail: {
    at: /^packages\/jail\//,
    mayImport: ['contracts'],
    rule: 'the jail knows no language and no world: it imports contracts',
  },
  runtime: {
    at: /^packages\/runtime\//,
    mayImport: ['jail', 'contracts'],
    rule: 'what runtimes share knows no language: it imports jail and contracts',
  },
  runtimes: {
    at: /^packages\/runtime-[^/]+\//,
    mayImport: ['runtime', 'jail', 'contracts', 'javascript'],
    rule: 'the runtime of a language imports runtime, jail, contracts and javascript',
  },
  sandbox: {
    at: /^packages\/sandbox\//,
    mayImport: ['runtimes', 'runtime', 'jail', 'contracts'],
    rule: 'sandbox imports runtimes, jail and contracts',
  },
  models: {
    at: /^packages\/models\//,
    mayImport: ['answers', 'contracts'],
    rule: 'models imports answers and contracts',
  },
  'live-world': {
    at: /^packages\/live-world\//,
    mayImport: ['world-model', 'models'],
    rule: 'calls to live APIs import world-model and models',
  },
  embeddings: {
    at: /^packages\/embeddings\//,
    mayImport: [],
    rule: 'the embeddings endpoint knows nothing of ours',
  },
  'service-kit': {
    at: /^packages\/service-kit\//,
    mayImport: ['contracts'],
    rule: 'the chassis knows nothing of traces, runs or scores',
  },
  tables: {
    at: /^packages\/tables\//,
    mayImport: ['contracts'],
    pure: true,
    rule: 'tables are written from rows: they know contracts only',
  },
  attacks: {
    at: /^packages\/attacks\//,
    mayImport: ['contracts'],
    pure: true,
    rule: 'attacks are data: they import contracts',
  },
  client: { at: /^packages\/client\//, mayImport: ['contracts'], rule: 'the client imports contracts' },
  flows: {
    at: /^packages\/flows\//,
    mayImport: ['models', 'workflow', 'answers', 'domain', 'program', 'contracts'],
    pure: true,
    rule: 'flows are pure: they import models, workflow, answers, generate, translate, score, program and contracts',
  },
  jobs: {
    at: /^packages\/jobs\//,
    mayImport: ['service-kit', 'models', 'workflow', 'flows', 'program', 'contracts'],
    rule: 'jobs stand below all rooms of evaluation: they import service-kit, models, workflow, flows, program and contracts',
  },
  webhooks: {
    at: /^packages\/webhooks\//,
    mayImport: ['jobs', 'service-kit', 'models', 'contracts'],
    rule: 'webhooks tell of jobs: they import jobs, service-kit, models and contracts',
  },
  administration: {
    at: /^packages\/administration\//,
    mayImport: ['jobs', 'service-kit', 'models', 'workflow', 'contracts'],
    rule: 'administration knows no stored form of other rooms: it imports jobs, service-kit, models, workflow and contracts',
  },
  sets: {
    at: /^packages\/sets\//,
    mayImport: ['jobs', 'service-kit', 'models', 'workflow', 'flows', 'domain', 'program', 'contracts'],
    rule: 'sets know no benchmark by name: they import jobs, service-kit, models, workflow, flows, generate, translate, program and contracts',
  },
  environment: {
    at: /^packages\/environment\//,
    mayImport: ['sets', 'jobs', 'service-kit', 'models', 'workflow', 'flows', 'program', 'contracts'],
    rule: 'environments stand beside evaluations: they import sets, jobs, service-kit, models, workflow, flows, program and contracts',
  },
  service: {
    at: /^services\/[^/]+\//,
    mayImport: [
      'service-kit',
      'jobs',
      'environment',
      'sets',
      'administration',
      'webhooks',
      'models',
      'workflow',
      'flows',
      'tables',
      'sandbox',
      'jail',
      'lists',
      'presentation',
      'backends',
      'world-model',
      'domain',
      'program',
      'contracts',
    ],
    rule: 'a service imports packages and the two lists, never another service: they meet in contracts and over NATS',
  },
  app: {
    at: /^apps\/[^/]+\//,
    mayImport: [
      'client',
      'contracts',
      'attacks',
      'local-servers',
      'installation',
      'presentation',
      'openapi',
      'world-model',
      'live-world',
    ],
    rule: 'an app talks HTTP: it imports client, contracts, attacks, models of worlds and what is shown of benchmarks',
  },
  installation: {
    at: /^packages\/local-servers\/src\/installation\//,
    mayImport: ['service-kit'],
    rule: 'backups of an installation connect as its services do: they import service-kit',
  },
  'local-servers': {
    at: /^packages\/local-servers\//,
    mayImport: [],
    rule: 'the embedded servers know nothing of ours',
  },
}
/** Directions within a service: files `at` do not import those of `not`. */
export const inside: { at: RegExp; not: RegExp; rule: string }[] = [
  {
    at: /^services\/evaluation\/src\/(?!(app|context)\.ts$|routes\/index\.ts$)/,
    not: /^services\/evaluation\/src\/context\.ts$/,
    rule: 'the record is built for app.ts and checked in routes/index.ts; declare the few things that are needed in an interface beside them',
  },
  {
    at: /^services\/evaluation\/src\/(?!(routes|jobs)\/|(app|context)\.ts$)/,
    not: /^services\/evaluation\/src\/(routes|jobs)\//,
    rule: 'routes and jobs stand above all other parts',
  },
]

/** Tests, law suites, the test kit, scripts and measurements may import anything. */
export const free =
  /\.test\.ts$|^apps\/dashboard\/(build|vite\.config)\.ts$|^packages\/sandbox-suites\/|\/test\/|^packages\/testkit\/|^(scripts|perf|e2e)\//
export const forbiddenInPure: [RegExp, string][] = [
  [/^(Date\.now|performance\.now)$/, 'reads the clock: take the time as an argument'],
  [/^new Date\(\)$/, 'reads the clock: take the time as an argument'],
  [
    /^(Math\.random|crypto\.(randomUUID|getRandomValues)|random(Bytes|UUID|Int))$/,
    'draws global random: take an Rng as an argument',
  ],
  [/^process\.env$/, 'reads the environment: take the setting as an argument'],
  [
    /^(setTimeout|setInterval|setImmediate|fetch)$/,
    'does I/O or waits: that belongs into a service or a backend',
  ],
]
/** Hashes and comparison: functions of their arguments. */
export const nodeModulesOfPure = new Set(['node:crypto', 'node:util'])
