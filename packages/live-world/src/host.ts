/** A live API as a world that can be emptied. */
import { setTimeout as sleep } from 'node:timers/promises'
import { findUndo, isSuccess, type LiveHost, type LiveRequest, type WorldModel } from '@stateeval/world-model'
import { CallRefusal, type CountedCaller } from './caller.ts'

interface HostOptions {
  /** The request that empties the world; otherwise, what was made is deleted. */
  reset?: LiveRequest
  /** Begins the names that are invented. */
  prefix: string
}
interface CleanableHost extends LiveHost {
  /** Deletes what was made and still exists; the number of items that could not be deleted. */
  cleanUp: () => Promise<number>
}

/** Creates the host of an API that a model describes. */
export function createHost(
  model: WorldModel,
  { send }: CountedCaller,
  { reset, prefix }: HostOptions,
): CleanableHost {
  const undos = new Map<string, LiveRequest>()
  const cleanUp = async () => {
    let left = 0
    // The newest first: what lies below something is deleted before it.
    for (const [key, undo] of [...undos].reverse()) {
      undos.delete(key)
      const answer = await send(undo)
      if (!isSuccess(answer) && answer.status !== 404 && answer.status !== 410) left++
    }
    return left
  }
  return {
    prefix,
    pause: (ms) => sleep(ms),
    cleanUp,
    async send(request) {
      const answer = await send(request)
      const undo = findUndo(model, request, answer)
      if (undo && !reset) undos.set(`${undo.method} ${undo.path}`, undo)
      return answer
    },
    async reset() {
      if (!reset) {
        await cleanUp()
        return
      }
      const answer = await send(reset)
      if (!isSuccess(answer))
        throw new CallRefusal(`The reset ${reset.method} ${reset.path} answered ${answer.status}.`)
    },
  }
}
