/** Two models that negotiate (StateGen, section III-E). Their answers are kept, so a translation that is cut short is not paid for twice. */
import { createHash } from 'node:crypto'
import type { Message, Usage } from '@stateeval/contracts'
import {
  addUsage,
  answerKey,
  type Answers,
  type ModelClient,
  type NamedModel,
  noUsage,
} from '@stateeval/models'
import { isLong, Refusal, type Threads } from '@stateeval/service-kit'
import {
  type AgentPrompts,
  agentsVersion,
  briefOf,
  needOf,
  type NegotiationState,
  type NegotiationTurn,
  resumeNegotiation,
  startNegotiation,
} from '@stateeval/translate'
import type { Translator } from './translator.ts'

export interface AgentTools {
  modelClient: ModelClient
  answers: Answers
  prompts: AgentPrompts
  /** Long answers are read there. */
  threads: Threads
}
const defaultRounds = 3

/** A whole number from any seed: which sample of the same question is taken. */
const sampleOf = (seed: string | number) =>
  typeof seed === 'number'
    ? seed
    : Number.parseInt(createHash('sha256').update(seed).digest('hex').slice(0, 8), 16)

export function agentsWith({ modelClient, answers, prompts, threads }: AgentTools): Translator {
  const version = `${agentsVersion}-${createHash('sha256').update(JSON.stringify(prompts)).digest('hex').slice(0, 12)}`

  const ask = async (
    model: NamedModel,
    messages: Message[],
    sample: number,
    by: string,
    signal: AbortSignal,
  ) => {
    const key = answerKey(model.settings, { messages }, sample)
    const known = await answers.get(key)
    if (known) return known
    const reply = await modelClient.ask(model, { messages }, signal)
    if (reply.status === 'refused' && reply.kind !== 'unreachable')
      throw new Refusal(`${model.name}: ${reply.reason}`)
    if (reply.status !== 'done') throw new Error(`${model.name}: ${reply.reason}`)
    const { text, finish, usage, retries } = reply
    return answers.put(key, { key, by, text, finish, usage, retries })
  }

  return {
    id: 'agents',
    version,
    async translate({ program, scenario, seed, agents }, signal) {
      if (!agents)
        throw new Refusal(
          '/agents: name the models that negotiate: {"generator": {"name": …, "settings": …}}',
        )
      const { generator, evaluator = generator, rounds = defaultRounds } = agents
      const brief = briefOf(program, scenario, 'javascript')
      if (brief === null) return { status: 'rejected', reason: 'the program can’t be written in JavaScript' }
      const context = { program, brief, prompts, rounds }
      let usage: Usage = noUsage
      let turn: NegotiationTurn = startNegotiation()
      while ('state' in turn) {
        const { agent, messages } = needOf(turn.state, context)
        const answer = await ask(
          agent === 'generator' ? generator : evaluator,
          messages,
          sampleOf(seed),
          program.id,
          signal,
        )
        usage = addUsage(usage, answer.usage)
        const { state }: { state: NegotiationState } = turn
        const { text } = answer
        turn = isLong(text)
          ? await threads.run<NegotiationTurn>('resume', { state, text, context })
          : resumeNegotiation(state, text, context)
      }
      return { ...turn.done, usage }
    },
  }
}
