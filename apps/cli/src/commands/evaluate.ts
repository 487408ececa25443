import { ServiceError } from '@stateeval/client'
import { type EvaluationRequest, GivenAnswer, findSchemaFault } from '@stateeval/contracts'
import { defineCommand, Failure } from '../command.ts'
import { resolveBenchmarkId } from '../suite/benchmark.ts'
import { concludeEvaluation } from '../suite/conclude.ts'
import { checkBaseline, type GateCommand, addGateOptions, buildGateRequest } from '../suite/gate.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { formatOptionHelp, formatTimeLimits } from '../suite/kinds.ts'
import {
  readBudget,
  declareModel,
  importRecordingFile,
  type ModelCommand,
  addModelOptions,
} from '../suite/model-options.ts'
import {
  parseInteger,
  parseJudges,
  parseLimits,
  parseNames,
  createProviderOption,
  parseSeconds,
  parseSeed,
} from '../suite/options.ts'
import { addPromptOptions } from '../suite/prompt-options.ts'
import { readText, unreadable } from '../text-file.ts'

interface EvaluateCommand extends ModelCommand, GateCommand {
  benchmark: string
  answers?: string
  label?: string
  partial?: true
  samples?: number
  mode?: EvaluationRequest['mode']
  prompting?: EvaluationRequest['prompting']
  language?: EvaluationRequest['language']
  documentation?: EvaluationRequest['documentation']
  setup?: string
  layout?: string
  policy?: string
  settings?: string
  rounds?: number
  shots?: number
  secondOpinion?: string
  judge?: EvaluationRequest['judge']
  user?: string
  embeddings?: string
  responses?: string[]
  timeLimit?: number
  limits?: EvaluationRequest['limits']
  seed?: number | string
  provider?: EvaluationRequest['provider']
  tags?: string[]
  probe?: boolean
}

/** Answers of a file, and the line of each. */
interface AnswerFile {
  file: string
  answers: GivenAnswer[]
  lines: number[]
}

/** Answers as JSON lines: { case, sample?, answer }. The error names the line and the member. */
export async function readAnswers(file: string): Promise<AnswerFile> {
  const text = await readText(file).catch(
    unreadable(`${file} cannot be read; it should contain one JSON object a line: {"case": …, "answer": …}`),
  )
  const lines: number[] = []
  const answers = text.split('\n').flatMap((line, index): GivenAnswer[] => {
    if (line.trim() === '') return []
    lines.push(index + 1)
    const refuse = (why: string): never => {
      throw new Failure(
        `${file}, line ${index + 1}: ${why}; each line is {"case": …, "sample": 0, "answer": …}`,
      )
    }
    let value: Partial<GivenAnswer> | null = null
    try {
      value = JSON.parse(line) as Partial<GivenAnswer>
    } catch {
      refuse('not valid JSON')
    }
    if (typeof value?.case !== 'string') return refuse('"case" must be a string')
    const { case: id, sample } = value
    const content =
      'notScored' in value && typeof value.notScored === 'string'
        ? {
            notScored: value.notScored,
            ...('reason' in value && value.reason !== undefined && { reason: value.reason }),
            ...(typeof value.answer === 'string' && { answer: value.answer }),
          }
        : 'replies' in value && Array.isArray(value.replies)
          ? { replies: value.replies, ...('seeds' in value && value.seeds && { seeds: value.seeds }) }
          : 'answer' in value && typeof value.answer === 'string'
            ? { answer: value.answer }
            : refuse('"answer" must be a string, or "replies" a list')
    const answer = { case: id, ...content, ...(sample !== undefined && { sample }) }
    const fault = findSchemaFault(GivenAnswer, answer)
    if (fault) return refuse(`"${fault.field.slice(1).replaceAll('/', '.')}" ${fault.says}`)
    return [answer]
  })
  if (answers.length === 0)
    throw new Failure(`${file} contains no answers; each line is {"case": …, "sample": 0, "answer": …}`)
  return { file, answers, lines }
}

/** The error of a request with these answers: the line in place of the field. */
function withLine(error: unknown, { file, lines }: AnswerFile): unknown {
  if (!(error instanceof ServiceError)) return error
  const { detail, field = '' } = error.problem
  const [, index] = /^\/answers\/(\d+)(?:\/|$)/.exec(field) ?? []
  const line = lines[Number(index ?? -1)]
  return line === undefined ? error : new Failure(`${file}, line ${line}: ${detail}`)
}

/** Resolves the answering party: a model, a file of answers, or a recording, which is imported. */
async function chooseAnswerer(
  { model, recording, label }: EvaluateCommand,
  file: AnswerFile | undefined,
): Promise<Partial<EvaluationRequest>> {
  if (file) return { answers: file.answers, ...(label !== undefined && { label }) }
  if (!recording) return { model: model! }
  return { recording: await importRecordingFile(recording) }
}

/** Evaluations and recordings, files of which are imported. */
async function importResponses({ responses }: EvaluateCommand): Promise<Partial<EvaluationRequest>> {
  if (!responses) return {}
  if (responses.length === 0) throw new Failure('--responses needs an evaluation or a file')
  const isId = (name: string) => /^(ev|rec)_[A-Za-z0-9]+$/.test(name)
  const ids = responses.map(async (name) => (isId(name) ? name : importRecordingFile(name)))
  return { responses: await Promise.all(ids) }
}

/** Options that a request has under the same names. */
const passedOn = [
  'samples',
  'mode',
  'prompting',
  'language',
  'documentation',
  'setup',
  'layout',
  'policy',
  'settings',
  'rounds',
  'shots',
  'secondOpinion',
  'judge',
  'user',
  'embeddings',
  'timeLimit',
  'limits',
  'seed',
  'provider',
  'tags',
  'probe',
  'partial',
] as const satisfies (keyof EvaluateCommand & keyof EvaluationRequest)[]

export const evaluate = defineCommand<EvaluateCommand>({
  name: 'evaluate',
  describe: 'Evaluate a model, or answers made elsewhere, on a benchmark',
  example: [
    'npx stateeval evaluate --benchmark benchmark/ --model reference',
    'npx stateeval evaluate --benchmark benchmark/ --model qwen --base-url http://127.0.0.1:8000/v1 --model-id qwen3-coder --key-env STATEEVAL_KEY_QWEN',
    'npx stateeval evaluate --benchmark benchmark/ --model qwen --price-input 0.2 --price-output 0.8 --samples 5 --budget-usd 2',
    'npx stateeval evaluate --benchmark benchmark/ --model qwen --model-file qwen.json   # {"baseUrl": …, "model": …, "parameters": {"temperature": 0}}',
    'npx stateeval evaluate --benchmark benchmark/ --model qwen --language python --prompting reflect',
    'npx stateeval evaluate --benchmark benchmark/ --model qwen --second-opinion judge   # judge also explains why samples failed',
    'npx stateeval evaluate --benchmark benchmark/ --model qwen --responses ev_0123456789abcdef   # live APIs answer as they did there',
    'npx stateeval evaluate --benchmark benchmark/ --answers answers.jsonl --gate 80%',
    'npx stateeval evaluate --benchmark benchmark/ --model qwen --baseline ev_0123456789abcdef --max-regression 2pt --significant --markdown summary.md',
  ].join('\n'),
  configure: (command) =>
    addPromptOptions(
      addGateOptions(addModelOptions(command))
        .requiredOption('--benchmark <id|folder>', 'a benchmark of the suite, or a folder to import')
        .option('--model <name>', 'reference, mutant, or a named model')
        .option('--answers <file>', 'answers made elsewhere, as JSON lines, instead of a model')
        .option('--label <name>', 'with --answers: the name in reports of who made them (answers)')
        .option('--partial', 'with --answers: samples without an answer have no score, instead of failing')
        .option(
          '--recording <file>',
          'answers of an earlier evaluation, as the command recording prints them, instead of a model',
        )
        .option('--samples <n>', 'answers for each case', parseInteger(1, 1000)),
      ['direct', 'cot', 'reflect', 'few-shot'],
    )
      .option('--policy <name>', 'the policy that decides the verdicts, for benchmarks with several')
      .option(
        '--settings <name>',
        `generation settings that override the model’s; ${formatOptionHelp('settings')}`,
      )
      .option(
        '--rounds <n>',
        'with reflect: how often the model sees its error and is asked again (2)',
        parseInteger(1, 8),
      )
      .option('--shots <n>', 'with few-shot: number of solved cases in the prompt (3)', parseInteger(1, 16))
      .option(
        '--second-opinion <name>',
        'a named model that also explains why samples failed; no rate depends on it',
      )
      .option(
        '--judge <name>',
        'a named model that judges, for benchmarks with a judge; several as PART=NAME,PART=NAME',
        parseJudges,
      )
      .option('--user <name>', 'a named model that plays the user, for benchmarks that simulate one')
      .option('--embeddings <name>', 'a named model with api embeddings, for benchmarks that compare texts')
      .option(
        '--responses <list>',
        'recorded responses of live APIs that are unavailable here: an evaluation’s id, or a file that the command recording printed; several separated by commas',
        (text: string) => text.split(',').filter(Boolean),
      )
      .option(
        '--time-limit <seconds>',
        `how long the code of an answer may run on each input (${formatTimeLimits()})`,
        parseSeconds(0.1, 600),
      )
      .option(
        '--limits <list>',
        `limits of a dialogue, as turns=40,calls=100,tokens=200000,seconds=3600 or a subset; ${formatOptionHelp('limits')}`,
        parseLimits,
      )
      .option('--probe', 'probe the model’s endpoint first, also if the model has no prices')
      .option('--no-probe', 'do not probe the endpoint of a model with prices first')
      .option('--tags <list>', 'tags of the evaluation, separated by commas', parseNames)
      .option('--seed <seed>', 'seed of mutants and examples', parseSeed)
      .addOption(createProviderOption()),
  run: async ({ options, terminal, signal }) =>
    runRequests(async () => {
      if ([options.model, options.answers, options.recording].filter(Boolean).length !== 1)
        throw new Failure('name one of --model, --answers and --recording')
      buildGateRequest(options)
      const benchmark = await resolveBenchmarkId(options.benchmark, terminal)
      await checkBaseline(options, benchmark)
      const client = connectEvaluation()
      await declareModel(options, terminal)
      const file = options.answers ? await readAnswers(options.answers) : undefined
      const request: EvaluationRequest = {
        benchmark,
        ...(await chooseAnswerer(options, file)),
        ...(await importResponses(options)),
        ...readBudget(options),
        ...(options.fresh && { fresh: true }),
      }
      const passedOptions = passedOn.flatMap((name) =>
        options[name] === undefined ? [] : [[name, options[name]] as const],
      )
      const body = { ...request, ...Object.fromEntries(passedOptions) }
      const job = await client.createEvaluation({ body }).catch((error: unknown) => {
        throw file ? withLine(error, file) : error
      })
      return concludeEvaluation(job, { options, terminal, signal })
    }),
})
