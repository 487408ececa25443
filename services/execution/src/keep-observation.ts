/** Stores the observation of one input, within bounds, as soon as it exists. */
import { toJson, maxObservationBytes, Observation, type PayloadParts } from '@stateeval/contracts'
import {
  type ProjectArtifacts,
  createChecker,
  isAway,
  type ServiceLog,
  getErrorText,
} from '@stateeval/service-kit'

/** The stores of observations. */
export interface KeepContext {
  artifacts: ProjectArtifacts
  log: ServiceLog
}

const contract = createChecker(Observation)

/**
 * Stores one observation within the bounds. One that cannot be stored is replaced by the reason; the others
 * stay unchanged. What a run leaves is its own doing: only stores that are away are not.
 */
export async function keepObservation(
  observation: Observation,
  { maxBytes, room, inline }: { maxBytes: number; room: number; inline: number },
  { artifacts, log }: KeepContext,
): Promise<{ part: PayloadParts; size: number }> {
  const instead = (ending: Observation['ending']) => {
    const { wallMs, sandbox, faults } = observation
    const short: Observation = {
      ending,
      world: null,
      log: [],
      output: '',
      faults: ending.status === 'infrastructure' ? faults.slice(0, 10) : [],
      wallMs,
      sandbox,
    }
    return { part: { inline: toJson(short) }, size: Buffer.byteLength(JSON.stringify(short)) }
  }
  const text = formatObservation(observation)
  if (text === null || text.length > maxObservationBytes)
    return instead(
      explainUnkept(
        observation,
        `RESULT, world, requests and output of an input may have at most ${maxObservationBytes} bytes as JSON`,
      ),
    )
  if (text.length > room)
    return instead(
      explainUnkept(
        observation,
        `the observations of all inputs of a program may have at most ${maxBytes} bytes as JSON`,
      ),
    )
  try {
    const fault = contract.fault(observation)
    if (fault) throw new Error(`it breaks its contract: ${fault.field} ${fault.says}`)
    const size = text.length
    const part =
      size <= inline ? { inline: toJson(observation) } : { artifact: await artifacts.put(text), bytes: size }
    return { part, size }
  } catch (error) {
    // The server comes back, and the program runs again; anything else would happen again, too.
    if (isAway(error)) throw error
    log.error({ err: error, bytes: text.length }, 'an observation could not be stored')
    return instead(
      explainUnkept(
        observation,
        `the observation could not be stored: ${getErrorText(error)}`.slice(0, 2000),
      ),
    )
  }
}

const explainUnkept = ({ ending }: Observation, detail: string): Observation['ending'] =>
  ending.status === 'infrastructure' ? ending : { status: 'killed', by: 'result', detail }

/** null where it is longer than any text may be. */
function formatObservation(observation: Observation): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(observation))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
