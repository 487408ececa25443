/** How the lines of a recording are read: each line is held against its schema, and the problem names the line at fault. */
import {
  AgentOptions,
  ProblemError,
  RecordedAnswer,
  RecordedSilence,
  RecordingHeading,
} from '@stateeval/contracts'
import { faultOfForm } from '@stateeval/models'
import { type Checker, checker } from '@stateeval/service-kit'
import type { RecordedAgents } from './recordings.ts'

const schemas = {
  heading: checker(RecordingHeading),
  answer: checker(RecordedAnswer),
  silence: checker(RecordedSilence),
  agents: checker(AgentOptions),
}

interface RecordingFile {
  heading: RecordingHeading
  answers: RecordedAnswer[]
  unanswered: RecordedSilence[]
  agents?: RecordedAgents
}

/** Reads the text of a recording. Throws a problem that names the line, counted from 1 as editors do, and what is wrong with it. */
export function readRecording(text: string): RecordingFile {
  const [first, ...rest] = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [{ at, value: parsed(line, at) }]))
  const heading = checked(
    schemas.heading,
    first?.value,
    first?.at ?? 0,
    'the heading {"recording":1,"model":…}',
  )
  const at = first?.at ?? 0
  for (const { settings } of [heading.model, ...Object.values(heading.others ?? {})]) {
    const wrong = faultOfForm(settings.baseUrl)
    if (wrong) refuse(at, `names a model whose baseUrl ${wrong}`)
  }
  const answers: RecordedAnswer[] = []
  const unanswered: RecordedSilence[] = []
  for (const { value, at: line } of rest)
    if (value !== null && typeof value === 'object' && 'unanswered' in value)
      unanswered.push(checked(schemas.silence, value, line, '{"key": …, "unanswered": …}'))
    else
      answers.push(
        checked(
          schemas.answer,
          value,
          line,
          'an answer: {"key": …, "text": …, "finish": …, "usage": …, "retries": …}',
        ),
      )
  const agents = agentsIn(heading, at)
  return { heading, answers, unanswered, ...(agents && { agents }) }
}

/** Who negotiated, where the recording is of such a build. */
function agentsIn(
  { model: generator, others, options }: RecordingHeading,
  at: number,
): RecordedAgents | null {
  const { evaluator, coder } = others ?? {}
  if (!evaluator || !coder) return null
  const asked = (options as { agents?: unknown } | null | undefined)?.agents
  return {
    generator,
    evaluator,
    coder,
    options: checked(schemas.agents, asked, at, 'the heading of a build with agents in its options'),
  }
}

function checked<T>({ fault }: Checker<T>, value: unknown, at: number, what: string): T {
  const found = fault(value)
  if (found) refuse(at, `is not ${what}: ${found.field || 'it'} ${found.says}`)
  return value as T
}

function parsed(line: string, at: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return refuse(at, 'is no valid JSON: the file is torn; export it again')
  }
}
function refuse(at: number, says: string): never {
  throw new ProblemError('unprocessable', `line ${at + 1} of the recording ${says}`, '/text')
}
