/**
 * Samples as records of Every Eval Ever (schema 0.3, `instance_level_eval.schema.json` of its package), one
 * per line. They belong to the pass rate of the report's record. Samples without a score are left out,
 * because the schema requires one.
 */
import { createHash } from 'node:crypto'
import type { JsonValue, Message, Transcript } from '@stateeval/contracts'
import type { EvaluationOwner } from '@stateeval/jobs'
import { formatDetails, describeIdentity, formatResultId, schemaVersion } from './every-eval-ever.ts'
import {
  findDecidingDialogue,
  type LoggedSample,
  readLoggedSamples,
  type SampleLogSources,
} from './logged-samples.ts'

const hashText = (text: string) => createHash('sha256').update(text).digest('hex')

/** Values are texts there; what is no object is kept whole. */
function parseLooseArguments(text: string): JsonValue {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return formatDetails({ ...value })
  } catch {
    // Said below.
  }
  return { arguments: text }
}

function convertChatMessage(message: Message, at: number): JsonValue {
  const { role, content } = message
  const calls = (message.role === 'assistant' && message.toolCalls) || []
  return {
    ...{ turn_idx: at, role, content },
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: text }) => ({
        id,
        name,
        arguments: parseLooseArguments(text),
      })),
    }),
    ...(message.role === 'tool' && { tool_call_id: [message.toolCallId] }),
  }
}

/** Builds the interaction of question and answer: one answer, or a dialogue with or without tools. */
function buildInteraction(transcript: Transcript | undefined, answer: string | null) {
  const messages = transcript?.messages ?? []
  const replies = messages.filter((one) => one.role === 'assistant')
  const calls = replies.reduce((sum, { toolCalls = [] }) => sum + toolCalls.length, 0)
  const isSingle = replies.length <= 1 && calls === 0
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const extracted = answer === null ? [] : [answer]
  return {
    interaction_type: isSingle ? 'single_turn' : calls > 0 ? 'agentic' : 'multi_turn',
    ...(isSingle
      ? { output: { raw: extracted }, messages: null }
      : { output: null, messages: messages.map(convertChatMessage) }),
    answer_attribution: extracted.map((value) => ({
      ...(isSingle
        ? { turn_idx: 0, source: 'output.raw' }
        : { turn_idx: Math.max(0, last), source: `messages[${Math.max(0, last)}].content` }),
      ...{ extracted_value: value, extraction_method: 'custom', is_terminal: true },
    })),
    counts: { num_turns: Math.max(1, replies.length), tool_calls_count: calls },
    prompt: isSingle ? messages.filter(({ role }) => role !== 'assistant') : [],
  }
}

/** Null if the sample has no score. */
function sampleRecord(logged: LoggedSample): JsonValue {
  const { owner, case: c, target, outcome, transcripts } = logged
  const { scored, answer, usage } = outcome
  const { score, sample, mutant } = scored
  if (!score) return null
  const { passed, verdict, reward = passed ? 1 : 0, evidence } = score
  const reference = target === null ? [] : [target]
  const { counts, prompt, ...interaction } = buildInteraction(
    transcripts[findDecidingDialogue(logged)],
    answer,
  )
  const { evaluationId, modelId, evaluationName } = describeIdentity(owner)
  return {
    schema_version: schemaVersion,
    evaluation_id: evaluationId,
    model_id: modelId,
    evaluation_name: evaluationName,
    evaluation_result_id: formatResultId(owner, 'pass_rate'),
    sample_id: c.id,
    sample_hash: hashText([c.instruction, ...reference].join('')),
    input: {
      raw: c.instruction,
      ...(prompt.length > 0 && { formatted: prompt.map(({ content }) => content).join('\n\n') }),
      reference,
    },
    ...interaction,
    evaluation: { score: passed ? 1 : 0, is_correct: passed, ...counts },
    ...(usage.requests > 0 && {
      token_usage: {
        input_tokens: usage.promptTokens,
        output_tokens: usage.completionTokens,
        total_tokens: usage.promptTokens + usage.completionTokens,
      },
    }),
    ...(evidence.error && { error: `${evidence.error.name}: ${evidence.error.message}` }),
    metadata: formatDetails({
      ...{ sample, verdict, reward, root_cause: evidence.rootCause?.cause, mutant },
      group: 'group' in c ? c.group : c.scenario,
    }),
  }
}

export async function* sampleRecords(
  context: SampleLogSources,
  owner: EvaluationOwner,
): AsyncGenerator<string> {
  for await (const logged of readLoggedSamples(context, owner)) {
    const record = sampleRecord(logged)
    if (record !== null) yield `${JSON.stringify(record)}\n`
  }
}
