/** Checks what the schema cannot express: that a request's world, language and names exist here. */
import {
  type AnyExecutionRequest,
  type ExecutionRequest,
  maxProgramBytes,
  ProblemError,
} from '@stateeval/contracts'
import { completeLimits } from '@stateeval/sandbox'
import type { ExecutionContext } from './context.ts'

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/
/** Globals that no program can do without, or that can’t be redefined. */
const takenNames = new Set([
  'undefined',
  'NaN',
  'Infinity',
  'globalThis',
  'process',
  'RESULT',
  'BASE_URL',
  'require',
  'module',
  'exports',
  '__proto__',
])

type RequestContext = Pick<ExecutionContext, 'world'> & {
  config: Pick<ExecutionContext['config'], 'tensorPrograms'>
}
type ReplicaContext = RequestContext &
  Pick<ExecutionContext, 'sandbox'> & { config: Pick<ExecutionContext['config'], 'maxLimits'> }

/** Throws a problem that names the field below `at`. */
export async function checkRequest(
  request: AnyExecutionRequest,
  here: ReplicaContext,
  at = '',
): Promise<void> {
  if ('code' in request && (await canRunHere(request, here, at))) await checkAvailable(request, here, at)
  await checkMeaning(request, here, at)
}

/** Tells whether this replica runs it; otherwise another one takes it from the queue. */
export async function canRunHere(
  { world }: AnyExecutionRequest,
  { config: { tensorPrograms }, world: find }: RequestContext,
  at = '',
): Promise<boolean> {
  if (tensorPrograms === 'also') return true
  const { tensors } = await find(world, `${at}/world`)
  return (tensors !== undefined) === (tensorPrograms === 'only')
}

/** Checks for parts that this machine lacks now and may have later. */
async function checkAvailable(
  { language, world, sandbox: level }: ExecutionRequest,
  { sandbox, world: find }: ReplicaContext,
  at: string,
) {
  if (!sandbox.languages.includes(language))
    throw new ProblemError(
      'unprocessable',
      `there is no runtime for ${language} here, only for ${sandbox.languages.join(', ')}: ${sandbox.unavailable[language] ?? 'it is not supported'}`,
      `${at}/language`,
    )
  const weak = level && sandbox.lacksLevel(level)
  if (weak !== undefined) throw new ProblemError('unprocessable', weak, `${at}/sandbox`)
  const lacking = sandbox.missing(await find(world, `${at}/world`))[language]
  if (lacking !== undefined)
    throw new ProblemError(
      'unprocessable',
      `the world ${world} is unavailable in ${language}: ${lacking}`,
      `${at}/language`,
    )
}

/** The resource that this machine has too little of; a larger machine may run the request. */
export function findLackingRoom(
  { limits }: AnyExecutionRequest,
  { config: { maxLimits } }: ReplicaContext,
  at = '',
): ProblemError | undefined {
  for (const name of ['memoryMiB', 'processes'] as const)
    if ((limits?.[name] ?? 0) > maxLimits[name])
      return new ProblemError(
        'unprocessable',
        `a program can have at most ${maxLimits[name]} here; lower the limit, or give the service more`,
        `${at}/limits/${name}`,
      )
  return undefined
}

/** Throws a problem if no machine, or not this one, can run the request. */
export async function checkMeaning(
  request: AnyExecutionRequest,
  here: ReplicaContext,
  at = '',
): Promise<void> {
  const { world, inputs, limits, seeds } = request
  const { languages, tools } = await here.world(world, `${at}/world`)
  if ('calls' in request) {
    if (!tools)
      throw new ProblemError(
        'unprocessable',
        `the world ${world} has no tools yet; it serves programs only`,
        `${at}/world`,
      )
  } else if (languages && !languages.includes(request.language))
    throw new ProblemError(
      'unprocessable',
      `the world ${world} is for programs in ${languages.join(' and ')}`,
      `${at}/language`,
    )
  const narrow = findLackingRoom(request, here, at)
  if (narrow) throw narrow
  if (seeds && seeds.length !== inputs.length)
    throw new ProblemError(
      'unprocessable',
      `there are ${inputs.length} inputs and ${seeds.length} seeds; give one for each input, or none`,
      `${at}/seeds`,
    )
  const { resultKiB, outputKiB } = completeLimits(limits)
  if (inputs.length * (resultKiB + outputKiB) * 1024 > maxProgramBytes)
    throw new ProblemError(
      'unprocessable',
      `resultKiB and outputKiB of ${inputs.length} inputs are ${inputs.length * (resultKiB + outputKiB)} KiB together, but the results of a program may have at most ${maxProgramBytes / 1024} KiB; lower ${resultKiB < outputKiB ? 'outputKiB' : 'resultKiB'}, or send fewer inputs`,
      `${at}/limits/${resultKiB < outputKiB ? 'outputKiB' : 'resultKiB'}`,
    )
  inputs.forEach(({ variables }, index) => {
    const name = Object.keys(variables).find((each) => !identifier.test(each) || takenNames.has(each))
    if (name !== undefined)
      throw new ProblemError(
        'unprocessable',
        `${JSON.stringify(name)} cannot be the name of a variable; use an identifier that isn’t a global of JavaScript`,
        `${at}/inputs/${index}/variables`,
      )
  })
}
