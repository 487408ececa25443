/**
 * A case that an agent solves by calling its world: one input after the other, each in a tool session of
 * execution. Scoring then scores it. The agent gets the same texts and tools as a model in an evaluation.
 */
import {
  formatToolAnswer,
  type BenchmarkCase,
  type Candidate,
  type ExecutionResult,
  type Message,
  type ModelTool,
  type Score,
  type ToolResult,
  type Transcript,
} from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { connectEvaluation, connectExecution, connectScoring } from '../suite/index.ts'
import { askInsistently } from '../suite/patience.ts'

/** A line of the prompts of a benchmark. */
interface PromptLine {
  messages: Message[]
  tools: ModelTool[]
  ends: string
}
/** The current input’s world, and what was said about it. */
interface OpenInput {
  session: string
  calls: number
  transcript: Transcript
}

export class McpTask {
  readonly #kind: string
  readonly #case: Extract<BenchmarkCase, { oracles: unknown }>
  readonly #prompts: readonly PromptLine[]
  readonly #transcripts: Transcript[] = []
  readonly #runs: ExecutionResult[] = []
  #open: OpenInput | undefined
  /** Calls come one after the other, whatever the agent does at the same time. */
  #line: Promise<unknown> = Promise.resolve()
  /** The score, once every input has ended; rejects if it cannot be scored. */
  readonly score: Promise<Score>
  #scored: (score: Promise<Score>) => void = () => undefined

  private constructor(kind: string, testCase: BenchmarkCase, prompts: readonly PromptLine[]) {
    if (!('oracles' in testCase) || prompts.some(({ ends }) => ends === undefined))
      throw new Failure(`The cases of ${kind} cannot be solved by tool calls on a world.`)
    this.#kind = kind
    this.#case = testCase
    this.#prompts = prompts
    this.score = new Promise((resolve) => (this.#scored = resolve))
  }

  /** Reads the case and opens the world of its first input. */
  static async of(benchmark: string, name: string): Promise<McpTask> {
    const params = { id: benchmark, case: name }
    const testCase = await connectEvaluation().getBenchmarkCase({ params })
    const { kind = '' } = await connectEvaluation().getBenchmark({ params: { id: benchmark } })
    const lines = await connectEvaluation().getBenchmarkPrompts({
      params: { id: benchmark },
      query: { mode: 'tools', case: name },
    })
    const prompts = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as PromptLine)
    const task = new McpTask(kind, testCase, prompts)
    await task.#begin()
    return task
  }

  get tools(): readonly ModelTool[] {
    return this.#prompt.tools
  }
  /** How the task is carried out: the same for all inputs. */
  get rules(): string {
    return getPromptText(this.#prompt, 'system')
  }
  /** The task with the variables of the current input. */
  get text(): string {
    const [at, all] = [this.#transcripts.length + 1, this.#prompts.length]
    return this.#isOver
      ? 'The task has ended.'
      : `Input ${at} of ${all}: each begins with a separate world.\n\n${getPromptText(this.#prompt, 'user')}`
  }

  /** Answers a call of a function; calls of unknown functions are answered like any other. */
  call(name: string, args: object): Promise<Pick<ToolResult, 'content' | 'error'>> {
    const turn = this.#line.then(() => this.#call(name, JSON.stringify(args)))
    this.#line = turn.catch(() => undefined)
    return turn
  }

  get #isOver() {
    return this.#transcripts.length === this.#prompts.length
  }
  get #prompt(): PromptLine {
    return this.#prompts[Math.min(this.#transcripts.length, this.#prompts.length - 1)]!
  }

  async #begin(): Promise<OpenInput> {
    const input = this.#transcripts.length
    const { world, oracles } = this.#case
    const { id } = await connectExecution().openSession({ body: { world, input: oracles[input]!.input } })
    const { messages, tools } = this.#prompt
    const transcript: Transcript = {
      role: 'model',
      input,
      tools: tools,
      messages: [...messages],
    }
    return (this.#open = { session: id, calls: 0, transcript })
  }

  async #call(name: string, text: string): Promise<Pick<ToolResult, 'content' | 'error'>> {
    if (this.#isOver) return { content: 'the task has ended', error: true }
    const open = this.#open ?? (await this.#begin())
    const { session: id, transcript } = open
    const call = { id: `call_${transcript.messages.length}`, name, arguments: text }
    const said: Message = { role: 'assistant', content: '', toolCalls: [call], finish: 'tool_calls' }
    if (name === this.#prompt.ends) return this.#end(open, said, JSON.parse(text))
    const { results } = await askInsistently(() =>
      connectExecution().callSession({ params: { id }, body: { index: open.calls, calls: [call] } }),
    )
    // Only now: a call that was refused has no place in the session's log.
    open.calls++
    const result = results[0]!
    transcript.messages.push(said, { role: 'tool', toolCallId: call.id, content: formatToolAnswer(result) })
    return result
  }

  /** Closes the world of the current input, and opens that of the next one or scores all. */
  async #end({ session: id, transcript }: OpenInput, said: Message, result: unknown) {
    const run = await askInsistently(() =>
      connectExecution().closeSession({ params: { id }, body: { result } }),
    )
    transcript.messages.push(said)
    this.#open = undefined
    this.#runs.push(run)
    this.#transcripts.push(transcript)
    if (!this.#isOver) {
      // RESULT was accepted, come what may: the next call tries again to open a world.
      await this.#begin().catch(() => undefined)
      return { content: `RESULT was accepted. The task continues with another input.\n\n${this.text}` }
    }
    this.#scored(askInsistently(() => this.#scoreOf()))
    await this.score
    return { content: 'RESULT was accepted. The task has ended.' }
  }

  async #scoreOf(): Promise<Score> {
    const candidate: Candidate = {
      said: {
        kind: 'dialogue',
        policy: null,
        inputs: this.#runs.map((_, at) => ({ transcript: at, run: at })),
        decisions: [],
      },
      transcripts: this.#transcripts,
      runs: this.#runs,
      consultations: [],
    }
    const { scores } = await connectScoring().createScores({
      body: { kind: this.#kind, case: this.#case, candidate },
    })
    return scores[0]!
  }
}

const getPromptText = ({ messages }: PromptLine, role: Message['role']) =>
  messages.flatMap((message) => (message.role === role ? [message.content] : [])).join('\n\n')
