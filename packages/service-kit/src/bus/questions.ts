/** Questions to other processes over the bus: to one of those that answer, or to all of them. */
import type { QuestionSubject, RollCallSubject } from '@stateeval/contracts'
import { type Msg, RequestStrategy, StringCodec } from 'nats'
import { getErrorText } from '../errors.ts'
import type { ServiceLog } from '../log.ts'
import { pauseUnlessAborted } from '../time.ts'
import { type BusConnection, requestTimeoutMs } from './connection.ts'
import type { BusNames } from './names.ts'

export interface ServiceQuestions {
  /** Answers a question as long as the bus is open; of several processes that do, one is asked. */
  answer(subject: QuestionSubject, give: () => unknown): void
  /**
   * Asks a question that any replica may answer; undefined where none does. `patienceMs`: how long to wait
   * for one that can.
   */
  ask(subject: QuestionSubject, patienceMs?: number): Promise<unknown>
  /** Answers by this process, beside all others that do. */
  answerEach(subject: RollCallSubject, give: () => Promise<unknown>): void
  /** Collects the answers of all processes that answer within this time; rejects while the broker is away. */
  askEach(subject: RollCallSubject, withinMs: number): Promise<unknown[]>
}

interface QuestionParts {
  connection: Pick<BusConnection, 'client' | 'onClient' | 'closing'>
  names: BusNames
  log: ServiceLog
}

export function openQuestions({ connection, names, log }: QuestionParts): ServiceQuestions {
  const text = StringCodec()
  const answers = new Map<QuestionSubject, () => unknown>()
  const states = new Map<RollCallSubject, () => Promise<unknown>>()

  /** Keeps what answers a subject, and subscribes to it with the first one. */
  function take<Subject extends QuestionSubject | RollCallSubject, Give>(
    givers: Map<Subject, Give>,
    subject: Subject,
    give: Give,
    { callback, ...options }: { queue?: string; callback: (message: Msg) => void },
  ): void {
    const isHeard = givers.has(subject)
    givers.set(subject, give)
    if (isHeard) return
    connection.onClient((client) =>
      client.subscribe(names.question(subject), {
        ...options,
        callback: (_error, message) => callback(message),
      }),
    )
  }
  const respond = (message: Msg, answer: unknown) => message.respond(text.encode(JSON.stringify(answer)))

  return {
    answer: (subject, give) =>
      take(answers, subject, give, {
        queue: 'answers',
        callback: (message) =>
          void Promise.resolve(answers.get(subject)?.())
            .then((answer) => respond(message, answer))
            .catch((error: unknown) =>
              log.warn({ subject, reason: getErrorText(error) }, 'a question could not be answered'),
            ),
      }),
    async ask(subject, patienceMs = 0) {
      for (
        const until = performance.now() + patienceMs;
        ;
        await pauseUnlessAborted(100, connection.closing)
      ) {
        try {
          const reply = connection
            .client()
            .request(names.question(subject), undefined, { timeout: requestTimeoutMs })
          return JSON.parse(text.decode((await reply).data)) as unknown
        } catch (error) {
          if (performance.now() < until && !connection.closing.aborted) continue
          log.debug({ subject, reason: getErrorText(error) }, 'nobody answered')
          return undefined
        }
      }
    },
    answerEach: (subject, give) =>
      take(states, subject, give, {
        callback: (message) =>
          void states
            .get(subject)?.()
            .then((state) => respond(message, state))
            .catch((error: unknown) =>
              log.warn({ subject, reason: getErrorText(error) }, 'a roll call was not answered'),
            ),
      }),
    async askEach(subject, withinMs) {
      const client = connection.client()
      const heard: unknown[] = []
      const options = { strategy: RequestStrategy.Timer, maxWait: withinMs } as const
      try {
        for await (const message of await client.requestMany(names.question(subject), undefined, options)) {
          if (message instanceof Error) break
          heard.push(JSON.parse(text.decode(message.data)) as unknown)
        }
      } catch (error) {
        // Nobody listens.
        log.debug({ subject, reason: getErrorText(error) }, 'nobody answered')
      }
      return heard
    },
  }
}
