/** Answers of an evaluation in the form in which another evaluation accepts them. */
import type { GivenAnswer, SampleAnswer } from '@stateeval/contracts'

type GivenReply = Extract<GivenAnswer, { replies: unknown }>['replies'][number]

const givenReply = ({ text, finish, ...calls }: GivenReply & { text: string }): GivenReply => ({
  text,
  ...calls,
  // What ended otherwise may be judged otherwise.
  ...(finish !== undefined && finish !== 'stop' && { finish }),
})

/** What the model said in a dialogue. */
const repliesIn = ([dialogue]: SampleAnswer['transcripts'] = []): GivenReply[] =>
  (dialogue?.messages ?? []).flatMap((message) =>
    message.role === 'assistant'
      ? [
          givenReply({
            text: message.content,
            ...(message.toolCalls && { toolCalls: message.toolCalls }),
            ...(message.finish !== undefined && { finish: message.finish }),
          }),
        ]
      : [],
  )

/**
 * Samples without an answer are left out, and so are those that `isScored` denies: an evaluation of the
 * answers then leaves them without a score as well.
 */
export const givenAnswers = (
  samples: readonly SampleAnswer[],
  isScored: (sample: SampleAnswer) => boolean = () => true,
): GivenAnswer[] =>
  samples.filter(isScored).flatMap(({ case: id, sample, answer, finish, transcripts }): GivenAnswer[] => {
    const replies = repliesIn(transcripts)
    // A text tells neither of calls nor of why it ended.
    if (replies.length > 1 || replies.some((reply) => reply.toolCalls ?? reply.finish))
      return [{ case: id, sample, replies }]
    if (answer === null) return []
    const reply = givenReply({ text: answer, ...(finish !== undefined && { finish }) })
    return [
      reply.finish === undefined ? { case: id, sample, answer } : { case: id, sample, replies: [reply] },
    ]
  })
