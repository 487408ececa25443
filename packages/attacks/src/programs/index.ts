/** The explicit list of attacks, by what they are after. */
import type { AttackProgram } from '../attack.ts'
import { accounting } from './accounting.ts'
import { escapes } from './escapes.ts'
import { exhaustion } from './exhaustion.ts'
import { files } from './files.ts'
import { inherited } from './inherited.ts'
import { leftovers } from './leftovers.ts'
import { nativeCalls } from './native.ts'
import { network } from './network.ts'
import { oracles } from './oracles.ts'
import { patching } from './patching.ts'
import { places } from './places.ts'
import { processes } from './processes.ts'
import { published } from './published.ts'
import { results } from './results.ts'
import { words } from './words.ts'

const themes = {
  files,
  network,
  exhaustion,
  results,
  patching,
  processes,
  escapes,
  leftovers,
  accounting,
  oracles,
  published,
  inherited,
  places,
  words,
  native: nativeCalls,
}

export const attacks: readonly AttackProgram[] = Object.entries(themes).flatMap(([theme, list]) =>
  list.map((attack) => ({ ...attack, name: `${theme}: ${attack.name}` })),
)
