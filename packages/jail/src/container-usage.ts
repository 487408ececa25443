/**
 * The usage of a container behind gVisor. Its memory is one in-memory file of gVisor's, which the host
 * sees. gVisor reports the number of threads, which its kernel counts out of the code's reach.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { listDescendants, type ProcessUsage, measureUsage } from './process-tree.ts'

const blockBytes = 512
const answerMs = 1000
/** An answer is a few hundred bytes. */
const maxAnswer = 1 << 16

export class ContainerUsage {
  readonly #socket: string
  readonly #id: string
  #tasks = 0
  #asking = false
  #memory: string | undefined

  /** `socket` is where gVisor answers for the container. */
  constructor(socket: string, id: string) {
    this.#socket = socket
    this.#id = id
  }

  /** Reads usage like that of the whole tree of processes; the number of tasks is the last one reported. */
  read(root: number): ProcessUsage {
    void this.look()
    return { ...measureUsage(root), memoryBytes: this.#memoryOf(root), tasks: this.#tasks }
  }

  /**
   * Asks for the number of tasks; one question at a time. Never rejects: without an answer the last number
   * stays.
   */
  async look(): Promise<void> {
    if (this.#asking) return
    this.#asking = true
    try {
      const answer = JSON.parse(await this.#ask()) as {
        result?: { event?: { data?: { pids?: { current?: unknown } } } }
      }
      const tasks = answer.result?.event?.data?.pids?.current
      if (typeof tasks === 'number') this.#tasks = tasks
    } catch {
      // It has ended, or is too busy to answer.
    } finally {
      this.#asking = false
    }
  }

  #ask(): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(this.#socket)
      socket
        .on('connect', () =>
          socket.write(JSON.stringify({ method: 'containerManager.Event', arg: this.#id })),
        )
        .on('data', (chunk) => {
          text += String(chunk)
          if (text.length > maxAnswer) return socket.destroy()
          // An answer is one value, without an end mark.
          if (!isWholeJson(text)) return
          socket.destroy()
          resolve(text)
        })
        .on('error', reject)
        .on('close', () => reject(new Error('no answer')))
        .setTimeout(answerMs, () => socket.destroy())
    })
  }

  #memoryOf(root: number): number {
    try {
      return statSync((this.#memory ??= findMemoryFile(root)!)).blocks * blockBytes
    } catch {
      return 0
    }
  }
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The process of the container’s kernel, below the started one. */
export const findSandboxProcess = (root: number): number | undefined =>
  listDescendants(root).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('runsc-sandbox'),
  )

/** Finds the file that holds the container's memory on the host. */
function findMemoryFile(root: number): string | undefined {
  const folder = `/proc/${findSandboxProcess(root)}/fd`
  const fd = readdirSync(folder).find((name) =>
    readlinkSync(`${folder}/${name}`).startsWith('/memfd:runsc-memory'),
  )
  return fd === undefined ? undefined : `${folder}/${fd}`
}
