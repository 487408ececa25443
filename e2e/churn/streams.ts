/** Streams of the queue that come and go, with their consumers and messages. */
import { AckPolicy, type NatsConnection, StringCodec } from 'nats'
import { type Churn, churn, type Command, pick } from './churn.ts'

/** By name; null where there is none. */
type Streams = Readonly<Record<string, Stored | null>>
interface Stored {
  messages: string[]
  consumer: boolean
}
type Change = Command<Streams, NatsConnection>

const names = ['A', 'B'] as const
const none: Streams = { A: null, B: null }
const text = StringCodec()
const config = (name: string) => ({ name, subjects: [`${name}.*`] })
const consumer = { durable_name: 'all', ack_policy: AckPolicy.Explicit }

export function churnStreams(): Churn<NatsConnection> {
  let last = 0

  const draw = (state: Streams): Change => {
    const name = pick(names)
    const stored = state[name] ?? null
    const to = (next: Stored | null): Streams => ({ ...state, [name]: next })
    if (!stored)
      return {
        name: 'create a stream',
        states: [to({ messages: [], consumer: false })],
        send: async (connection) => (await connection.jetstreamManager()).streams.add(config(name)),
      }
    const publish = (): Change => {
      const message = String(last++)
      return {
        name: 'publish',
        states: [to({ ...stored, messages: [...stored.messages, message] })],
        send: (connection) => connection.jetstream().publish(`${name}.x`, text.encode(message), { timeout: 5_000 }),
      }
    }
    const others: Change[] = [
      {
        name: 'delete a stream',
        states: [to(null)],
        send: async (connection) => (await connection.jetstreamManager()).streams.delete(name),
      },
      {
        name: stored.consumer ? 'delete a consumer' : 'create a consumer',
        states: [to({ ...stored, consumer: !stored.consumer })],
        send: async (connection) => {
          const { consumers } = await connection.jetstreamManager()
          return stored.consumer ? consumers.delete(name, 'all') : consumers.add(name, consumer)
        },
      },
    ]
    return pick([publish(), publish(), publish(), pick(others)])
  }

  const read = async (connection: NatsConnection): Promise<Streams> => {
    const manager = await connection.jetstreamManager()
    const found: Record<string, Stored | null> = { ...none }
    for await (const { config, state } of manager.streams.list()) {
      const messages: string[] = []
      for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++)
        messages.push(text.decode((await manager.streams.getMessage(config.name, { seq })).data))
      const consumers: string[] = []
      for await (const { name } of manager.consumers.list(config.name)) consumers.push(name)
      found[config.name] = { messages, consumer: consumers.includes('all') }
    }
    return found
  }

  return churn({ empty: none, draw, read, probe: async () => {} })
}
