/** Answers of an evaluation in the form in which another evaluation accepts them. */
import type { GivenAnswer, SampleAnswer } from '@stateeval/contracts'

type DialogueReply = Extract<GivenAnswer, { replies: unknown }>['replies'][number]

const buildGivenReply = ({ text, finish, ...rest }: DialogueReply & { text: string }): DialogueReply => ({
  text,
  ...rest,
  // Samples that ended otherwise may be judged otherwise.
  ...(finish !== undefined && finish !== 'stop' && { finish }),
})

/** Lists the model's replies in its dialogues, one after the other. */
const listReplyTexts = (transcripts: SampleAnswer['transcripts'] = []): DialogueReply[] =>
  transcripts.flatMap(({ role, messages }, transcript) =>
    role !== 'model'
      ? []
      : messages.flatMap((message) =>
          message.role === 'assistant'
            ? [
                buildGivenReply({
                  ...(transcripts.length > 1 && { transcript }),
                  text: message.content,
                  ...(message.toolCalls && { toolCalls: message.toolCalls }),
                  ...(message.finish !== undefined && { finish: message.finish }),
                }),
              ]
            : [],
        ),
  )

/** Why a sample has no score, in full and in one word. */
type UnscoredStatement = Pick<Extract<GivenAnswer, { notScored: string }>, 'notScored' | 'reason'>

function buildGivenAnswer(sampleAnswer: SampleAnswer, unscored: UnscoredStatement | null): GivenAnswer[] {
  const { case: id, sample, answer, finish, transcripts = [], refused = [], seeds } = sampleAnswer
  const of = { case: id, sample }
  if (unscored !== null) return [{ ...of, ...unscored, ...(answer !== null && { answer }) }]
  const said = listReplyTexts(transcripts)
  const texts =
    said.length === 0 && answer !== null
      ? [buildGivenReply({ text: answer, ...(finish !== undefined && { finish }) })]
      : said
  const refusals = refused.map(({ transcript, reason }): DialogueReply => ({
    ...(transcripts.length > 1 && { transcript }),
    refused: reason,
  }))
  const replies = [...texts, ...refusals]
  const [first] = replies
  if (!first) return []
  // A text tells neither of calls nor of why it ended, nor of worlds.
  const isText =
    replies.length === 1 && !first.toolCalls && first.finish === undefined && refused.length === 0
  if (isText && answer !== null && !seeds) return [{ ...of, answer }]
  return [{ ...of, replies, ...(seeds && { seeds }) }]
}

/** Samples without a score have its reason: an evaluation of the answers leaves them without a score, too. */
export const listGivenAnswers = (
  samples: readonly SampleAnswer[],
  findReason: (sample: SampleAnswer) => UnscoredStatement | null = () => null,
): GivenAnswer[] => samples.flatMap((sample) => buildGivenAnswer(sample, findReason(sample)))
