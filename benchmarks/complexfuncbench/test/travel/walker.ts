/** Calls one function of a travel world after the other. */
import type { JsonObject } from '@stateeval/contracts'
import { ask, openTravel, type TravelState } from '../../travel/world.ts'

export interface Walker {
  state: TravelState
  /** Makes a call that must succeed, and gives its data. */
  call(name: string, args: JsonObject): any // eslint-disable-line @typescript-eslint/no-explicit-any
}

export function walker(seed: string): Walker {
  return {
    state: openTravel({ seed, hidden: [] }),
    call(name, args) {
      const { state, body, ok } = ask(this.state, name, args)
      if (!ok) throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(body)}`)
      this.state = state
      return body['data']
    },
  }
}
