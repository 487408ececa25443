/** Answers of an evaluation in the form in which another evaluation accepts them. */
import type { EvaluationResource, GivenAnswer, SampleAnswer } from '@stateeval/contracts'

/** What the model said in a dialogue. */
const repliesIn = ([dialogue]: SampleAnswer['transcripts'] = []) =>
  (dialogue?.messages ?? []).flatMap((message) =>
    message.role === 'assistant'
      ? [{ text: message.content, ...(message.toolCalls && { toolCalls: message.toolCalls }) }]
      : [],
  )

/** Samples without an answer are left out. */
export const givenAnswers = (
  samples: readonly SampleAnswer[],
  { prompting }: Pick<EvaluationResource['options'], 'prompting'>,
): GivenAnswer[] =>
  samples.flatMap(({ case: id, sample, answer, transcripts }): GivenAnswer[] => {
    // Of several attempts only the last one counts.
    const replies = prompting === 'reflect' ? [] : repliesIn(transcripts)
    // A text says nothing of calls.
    if (replies.length > 1 || replies.some(({ toolCalls }) => toolCalls))
      return [{ case: id, sample, replies }]
    return answer === null ? [] : [{ case: id, sample, answer }]
  })
