import {
  computeStreamCommitment,
  type StreamRequest,
  type StreamResource,
  type StreamTask,
} from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatMinute } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import {
  addDifficultyOptions,
  type DifficultyCommand,
  formatRange,
  type NumberRange,
  parseNames,
  parseRange,
  parseScenarioOption,
  parseSeed,
  pickDifficulty,
} from '../suite/options.ts'
import { readEveryPage } from '../suite/pages.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

interface StreamOptions extends DifficultyCommand {
  scenario?: string
  purpose?: 'training' | 'held-out'
  seed?: number | string
  length?: NumberRange
  apis?: string[]
  scenarioOption?: Record<string, number>
  yes?: boolean
}

function buildStreamRequest(options: StreamOptions): StreamRequest {
  const { scenario, purpose, length, apis, scenarioOption: scenarioOptions } = options
  if (scenario === undefined)
    throw new Failure('Which scenario? Name it with --scenario, such as --scenario session-service, or all.')
  return {
    options: {
      scenario,
      ...(length && { length }),
      ...pickDifficulty(options),
      ...(apis && { apis }),
      ...(scenarioOptions && { scenarioOptions }),
    },
    ...(purpose && { purpose }),
    ...(options.seed !== undefined && { seed: options.seed }),
  }
}

const formatStreamOptions = ({
  scenario,
  length,
  branches,
  pathDepth,
  bindings,
  distractors,
  difficulty,
  apis,
  scenarioOptions,
}: StreamResource['options']) =>
  [
    scenario,
    `length ${formatRange(length)}`,
    ...(difficulty === undefined ? [] : [`difficulty ${difficulty}`]),
    ...(branches === undefined ? [] : [`branches ${branches}`]),
    ...(pathDepth ? [`path depth ${formatRange(pathDepth)}`] : []),
    ...(bindings ? [`bindings ${formatRange(bindings)}`] : []),
    ...(distractors === undefined ? [] : [`distractors ${distractors}`]),
    ...(apis ? [`apis ${apis.join(',')}`] : []),
    ...Object.entries(scenarioOptions ?? {}).map(([name, value]) => `${name} ${value}`),
  ].join(', ')

function show(stream: StreamResource, terminal: CommandTerminal): void {
  const {
    id,
    status,
    purpose,
    options,
    versions,
    commitment,
    seed: text,
    salt,
    createdAt,
    revealedAt,
  } = stream
  terminal.result(stream, () =>
    [
      `${id}: ${purpose}, ${status}`,
      `options: ${formatStreamOptions(options)}`,
      `versions: ${Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}`,
      `commitment: ${commitment}`,
      ...(text === undefined ? ['seed: sealed'] : [`seed: ${text}`, `salt: ${salt}`]),
      `created: ${formatMinute(createdAt)} UTC`,
      ...(revealedAt === undefined ? [] : [`revealed: ${formatMinute(revealedAt)} UTC`]),
    ].join('\n'),
  )
}

async function list(terminal: CommandTerminal): Promise<void> {
  const streams = await readEveryPage<StreamResource>((query) => connectEvaluation().listStreams({ query }))
  terminal.result(streams, () =>
    streams.length === 0
      ? 'There are no streams. Create one: npx stateeval streams create --scenario session-service'
      : formatTable(
          ['id', 'purpose', 'status', 'tasks', 'created (UTC)'],
          streams.map(({ id, purpose, status, options, createdAt }) => [
            id,
            purpose,
            status,
            formatStreamOptions(options),
            formatMinute(createdAt),
          ]),
        ),
  )
}

async function create(options: StreamOptions, terminal: CommandTerminal): Promise<void> {
  const stream = await connectEvaluation().createStream({ body: buildStreamRequest(options) })
  show(stream, terminal)
  if (stream.status === 'sealed')
    terminal.step(
      'Publish the commitment now. After the test, publish seed and salt: npx stateeval streams reveal ID',
    )
}

function showTask(task: StreamTask, terminal: CommandTerminal): void {
  const { index, task: id, instruction, variables, difficulty, digest } = task
  terminal.result(task, () =>
    [
      `task ${index}: ${id}`,
      instruction,
      ...variables.map(({ name, type }) => `${name}: ${type}`),
      ...(difficulty
        ? [
            `${difficulty.length} calls on each path, path depth ${difficulty.pathDepth}, ${difficulty.apis} APIs${difficulty.branch ? ', an if/else' : ''}`,
          ]
        : []),
      `digest: ${digest}`,
    ].join('\n'),
  )
}

/** Checks whether a stream reveals what it committed to. */
function verify(stream: StreamResource, terminal: CommandTerminal): ExitCode {
  const { id, seed: text, salt, commitment } = stream
  if (text === undefined || salt === undefined)
    throw new Failure(
      `${id} is sealed: there is nothing to verify yet. Reveal it: npx stateeval streams reveal ${id}`,
    )
  const computed = computeStreamCommitment({ ...stream, seed: text, salt })
  const matches = computed === commitment
  terminal.result({ id, matches, commitment, computed }, () =>
    matches
      ? `${id} matches its commitment: ${commitment}`
      : `${id} does NOT match its commitment ${commitment}: its seed, salt, options and versions hash to ${computed}`,
  )
  return matches ? 0 : 1
}

type StreamAction = (
  id: string,
  options: StreamOptions,
  terminal: CommandTerminal,
  index?: string,
) => Promise<ExitCode | void>

/** Actions on one stream. */
const actions: Record<string, StreamAction> = {
  show: async (id, _, terminal) => show(await connectEvaluation().getStream({ params: { id } }), terminal),
  async task(id, _, terminal, index) {
    if (index === undefined || !/^\d{1,9}$/.test(index))
      throw new Failure(`Which task? Give its index, from 0 to 999999999: npx stateeval streams task ${id} 0`)
    showTask(
      await connectEvaluation().getStreamTask({ params: { id, index: String(Number(index)) } }),
      terminal,
    )
  },
  async reveal(id, { yes }, terminal) {
    if (!yes)
      throw new Failure(
        `This publishes the seed of ${id} and ends its use for tests. To confirm, repeat the command with --yes.`,
      )
    show(await connectEvaluation().revealStream({ params: { id } }), terminal)
  },
  verify: async (id, _, terminal) =>
    verify(await connectEvaluation().getStream({ params: { id } }), terminal),
  async delete(id, { yes }, terminal) {
    if (!yes) throw new Failure(`This deletes ${id} permanently. To confirm, repeat the command with --yes.`)
    await connectEvaluation().deleteStream({ params: { id } })
    terminal.result({ id, status: 'deleted' }, () => `${id} is deleted.`)
  },
}

export const streams = defineCommand<StreamOptions>({
  name: 'streams [action] [id] [index]',
  describe: `Endless tasks from a seed, for agents and training: list, create, ${Object.keys(actions).join(', ')}`,
  example: [
    'npx stateeval streams create --scenario session-service --seed 1 --length 3-6',
    'npx stateeval streams create --scenario all --purpose held-out --path-depth 2-',
    'npx stateeval streams task str_0123456789abcdef012 1000',
    'npx stateeval streams reveal str_0123456789abcdef012 --yes',
    'npx stateeval streams verify str_0123456789abcdef012',
  ].join('\n'),
  configure: (command) =>
    addDifficultyOptions(command, 'create: ')
      .option('--scenario <id>', 'create: the scenario, or all')
      .addOption(
        new Option(
          '--purpose <purpose>',
          'create: held-out keeps the seed secret until you reveal it',
        ).choices(['training', 'held-out']),
      )
      .option(
        '--seed <seed>',
        'create: the same seed gives the same tasks (default: 128 random bits)',
        parseSeed,
      )
      .option(
        '--length <range>',
        'create: calls on each execution path, such as 3-8 (default: 5, or that of the level)',
        parseRange,
      )
      .option('--apis <list>', 'create: the only APIs to call, separated by commas', parseNames)
      .option(
        '--scenario-option <name=n>',
        'create: a number that the scenario defines, such as elements=1024; repeatable',
        parseScenarioOption,
      )
      .option('--yes', 'reveal, delete: confirm; neither can be undone'),
  run: async ({ options, args: [action = 'list', id, index], terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      if (action === 'list') await list(terminal)
      else if (action === 'create') await create(options, terminal)
      else {
        const run = actions[action]
        if (!run)
          throw new Failure(`Unknown action ${action}. Use list, create, ${Object.keys(actions).join(', ')}.`)
        if (id === undefined)
          throw new Failure('Which stream? Name its id; npx stateeval streams lists them.')
        if (!/^str_[A-Za-z0-9]+$/.test(id))
          throw new Failure(
            `${JSON.stringify(id)} is not the id of a stream: these begin with str_. List them with: npx stateeval streams`,
          )
        return (await run(id, options, terminal, index)) ?? 0
      }
      return 0
    }),
})
