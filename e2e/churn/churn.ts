/**
 * Commands drawn at random on something that is stored, with what must be stored afterwards. A command that
 * was cut short has left one of its states: the one before it, or one that it may leave on its way.
 */
import { expect } from '@jest/globals'

/**
 * What one command does to the states of the model: it goes through these in order; the last one is
 * acknowledged.
 */
export interface Command<State, Client> {
  name: string
  states: State[]
  send(client: Client): Promise<unknown>
}
export interface Churn<Client> {
  /** Sends commands until one fails, which is a fault unless the servers have been killed. */
  work: (client: Client, killed: () => boolean) => Promise<never>
  /** Holds what is stored against what must be. */
  check: (client: Client) => Promise<void>
  /** How many commands were acknowledged. */
  done: () => number
  /** The command that was cut short last. */
  underWay: () => string
}
interface Model<State, Client> {
  empty: State
  draw: (state: State) => Command<State, Client>
  /** What is stored. */
  read: (client: Client) => Promise<State>
  /** Rejects where what is stored does not do what it is for. */
  probe: (client: Client, state: State) => Promise<void>
}

export function churn<State, Client>({ empty, draw, read, probe }: Model<State, Client>): Churn<Client> {
  let state = empty
  let pending: Command<State, Client> | undefined
  let done = 0
  let fault: Error | undefined
  return {
    async work(client, killed) {
      for (;;) {
        pending = draw(state)
        try {
          await pending.send(client)
        } catch (error) {
          // The caller waits for the kill, and is told by the next check.
          if (!killed()) fault ??= new Error(`${pending.name} failed: ${String(error)}`, { cause: error })
          throw error
        }
        state = pending.states.at(-1) as State
        pending = undefined
        done++
      }
    },
    async check(client) {
      if (fault) throw fault
      const actual = await read(client)
      const possible = [state, ...(pending?.states ?? [])]
      if (!possible.some((one) => JSON.stringify(one) === JSON.stringify(actual)))
        expect({ after: pending?.name ?? 'nothing', stored: actual }).toEqual({
          after: pending?.name ?? 'nothing',
          stored: state,
        })
      state = actual
      pending = undefined
      await probe(client, state)
    },
    done: () => done,
    underWay: () => pending?.name ?? 'nothing',
  }
}

export const pick = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T
