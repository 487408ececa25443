/** Asks the parties of an episode: models other than the agent, and live APIs. */
import { ProblemError } from '@stateeval/contracts'
import type { ModelQuestion, QuestionAsker, SpendingAccount } from '@stateeval/models'
import type { ItemAnswer } from '@stateeval/workflow'
import type { AskingEpisode, PartyAsker } from '@stateeval/environment'
import { listAnswerSources } from './account.ts'
import { explainUnrecorded } from './ask-model.ts'
import { compareTexts } from './compare.ts'

interface PartyClients {
  asker: QuestionAsker
  liveAsker: QuestionAsker
}

export const createPartyAsker =
  (clients: PartyClients): PartyAsker =>
  async (episode, step, need, signal) => {
    if (need.kind === 'ask') return ask(clients, episode, step, need.payload, signal, need.part)
    const compared = await compareTexts(
      need.payload,
      (at, question) => askParty(clients, episode, `${step}/${at}`, question, signal, 'similar'),
      signal,
    )
    if (compared.kind === 'compared') return { ok: true, value: compared.compared }
    return { ok: false, refused: compared.kind === 'unanswered' && compared.refused, reason: compared.reason }
  }

/** Its answers are for this episode alone where the part asks anew. */
const buildEpisodeAccount = ({ id, parties = {} }: AskingEpisode, part = ''): SpendingAccount => ({
  id,
  by: id,
  ...listAnswerSources(parties[part] ?? {}),
})

async function askParty(
  { asker, liveAsker }: PartyClients,
  episode: AskingEpisode,
  step: string,
  question: ModelQuestion,
  signal: AbortSignal,
  part?: string,
) {
  const end = await (part?.startsWith('http:') ? liveAsker : asker).ask(
    buildEpisodeAccount(episode, part),
    step,
    question,
    signal,
  )
  // Stopped is no answer: the step is led again.
  if (signal.aborted) throw new ProblemError('unavailable', 'the service is stopping; send the step again')
  return end
}

async function ask(
  clients: PartyClients,
  episode: AskingEpisode,
  step: string,
  question: ModelQuestion,
  signal: AbortSignal,
  part?: string,
): Promise<ItemAnswer> {
  const end = await askParty(clients, episode, step, question, signal, part)
  if (end.kind === 'answered') return { ok: true, value: end.answer }
  const { kind: _kind, cause: _cause, ...silence } = end
  return { ok: false, ...silence, ...(end.unrecorded && { reason: explainUnrecorded(question) }) }
}
