/** Streams of the queue that come and go, with their consumers and messages. */
import { AckPolicy, type NatsConnection, StringCodec } from 'nats'
import { patience } from '@stateeval/testkit'
import { type Churn, churn, type Command, pick } from './churn.ts'

/** By name. */
type Streams = Readonly<Record<string, Stored>>
interface Stored {
  messages: string[]
  consumer: boolean
}
type Change = Command<Streams, NatsConnection>

const text = StringCodec()
const config = (name: string) => ({ name, subjects: [`${name}.*`] })
const consumer = { durable_name: 'all', ack_policy: AckPolicy.Explicit }
const sorted = (streams: Streams): Streams =>
  Object.fromEntries(Object.entries(streams).sort(([a], [b]) => (a < b ? -1 : 1)))

export function churnStreams(): Churn<NatsConnection> {
  let last = 0
  /**
   * nats-server goes on removing a stream's folder after it has answered, and does not look whether the next
   * one of that name is deleted meanwhile. So the name changes with each deletion that is acknowledged, and
   * stays where a kill cuts one short.
   */
  const names = ['A0', 'B0']

  const draw = (state: Streams): Change => {
    const name = pick(names)
    const current = state[name]
    const { [name]: _, ...others } = state
    const to = (next: Stored): Streams => sorted({ ...others, [name]: next })
    if (!current)
      return {
        name: 'create a stream',
        states: [to({ messages: [], consumer: false })],
        send: async (connection) => (await connection.jetstreamManager()).streams.add(config(name)),
      }
    const publish = (): Change => {
      const message = String(last++)
      return {
        name: 'publish',
        states: [to({ ...current, messages: [...current.messages, message] })],
        send: (connection) =>
          connection.jetstream().publish(`${name}.x`, text.encode(message), { timeout: patience(5_000) }),
      }
    }
    const rare: Change[] = [
      {
        name: 'delete a stream',
        states: [others],
        send: async (connection) => {
          await (await connection.jetstreamManager()).streams.delete(name)
          names[names.indexOf(name)] = `${name[0]}${last++}`
        },
      },
      {
        name: current.consumer ? 'delete a consumer' : 'create a consumer',
        states: [to({ ...current, consumer: !current.consumer })],
        send: async (connection) => {
          const { consumers } = await connection.jetstreamManager()
          return current.consumer ? consumers.delete(name, 'all') : consumers.add(name, consumer)
        },
      },
    ]
    return pick([publish(), publish(), publish(), pick(rare)])
  }

  const read = async (connection: NatsConnection): Promise<Streams> => {
    const manager = await connection.jetstreamManager()
    const streams: Record<string, Stored> = {}
    for await (const { config, state } of manager.streams.list()) {
      const messages: string[] = []
      for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++)
        messages.push(text.decode((await manager.streams.getMessage(config.name, { seq })).data))
      const consumers: string[] = []
      for await (const { name } of manager.consumers.list(config.name)) consumers.push(name)
      streams[config.name] = { messages, consumer: consumers.includes('all') }
    }
    return sorted(streams)
  }

  return churn({ empty: {}, draw, read, probe: async () => {} })
}
