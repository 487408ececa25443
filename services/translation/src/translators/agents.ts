/**
 * Two models that negotiate (StateGen, section III-E). Their answers are stored, so an interrupted
 * translation does not pay for them twice.
 */
import { toSampleNumber, sha256, type Usage } from '@stateeval/contracts'
import { addUsage, type QuestionAsker, noUsage, type ModelQuestion } from '@stateeval/models'
import { isLong, JobRefusal, type ThreadPool } from '@stateeval/service-kit'
import {
  buildAgentNeed,
  type AgentPrompts,
  agentsVersion,
  beginNegotiation,
  type NegotiationState,
  type NegotiationTurn,
  resumeNegotiation,
  startNegotiation,
} from '@stateeval/translate'
import type { ProgramTranslator } from './translator.ts'

export interface AgentTools {
  asker: QuestionAsker
  prompts: AgentPrompts
  /** Long answers are read there, and long programs are translated. */
  threads: ThreadPool
}
const defaultRounds = 3

export function createAgentTranslator({ asker, prompts, threads }: AgentTools): ProgramTranslator {
  const version = `${agentsVersion}-${sha256(JSON.stringify(prompts)).slice(0, 12)}`

  /** The answer; throws a Refusal where another try would not help. */
  async function ask(program: string, question: ModelQuestion, signal: AbortSignal) {
    const outcome = await asker.ask({ id: program, by: program }, program, question, signal)
    if (outcome.kind === 'answered') return outcome.answer
    const says = `${question.model.name}: ${outcome.reason}`
    throw outcome.refused && outcome.cause !== 'unreachable' ? new JobRefusal(says) : new Error(says)
  }

  return {
    id: 'agents',
    version,
    async translate({ program, scenario, seed, agents }, signal) {
      if (!agents)
        throw new JobRefusal(
          '/agents: name the models that negotiate: {"generator": {"name": …, "settings": …}}',
        )
      const { generator, evaluator = generator, rounds = defaultRounds } = agents
      const about = beginNegotiation({ program, scenario, prompts, rounds })
      if ('done' in about) return about.done
      let usage: Usage = noUsage
      let turn: NegotiationTurn = startNegotiation()
      while ('state' in turn) {
        const { state }: { state: NegotiationState } = turn
        const { agent, messages } = buildAgentNeed(state, about)
        const model = agent === 'generator' ? generator : evaluator
        const answer = await ask(program.id, { model, messages, sample: toSampleNumber(seed) }, signal)
        usage = addUsage(usage, answer.usage)
        turn = isLong(answer.text)
          ? await threads.run<NegotiationTurn>('resume', { state, text: answer.text, context: about })
          : resumeNegotiation(state, answer.text, about)
      }
      return { ...turn.done, usage }
    },
  }
}
