/** Sends the bytes of hostile requests, in whatever manner, and reads what comes back. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { patience } from '../patience.ts'
import { parseAnswers, type RawAnswer } from './answers.ts'
import type { HostileRequest } from './requests.ts'

interface HostileExchange {
  answers: RawAnswer[]
  /** What went wrong besides: bytes that are no HTTP, or no answer at all. */
  fault?: string
}
/** Connections that are kept open to the end. */
interface HeldConnections {
  hold(socket: Socket): void
  end(): void
}

const together = 5
const slowPieces = 20
const betweenPiecesMs = 20
/** As long as a service may take for the largest body it takes. */
const longestMs = 180_000
/** An answer that is not complete by then is endless. */
const streamMs = 1000

export function heldConnections(most: number): HeldConnections {
  let sockets: Socket[] = []
  return {
    hold(socket) {
      sockets.push(socket.on('error', () => undefined))
      if (sockets.length > most) sockets.shift()?.destroy()
    },
    end() {
      for (const socket of sockets) socket.destroy()
      sockets = []
    },
  }
}

export async function exchange(
  port: number,
  request: HostileRequest,
  held: HeldConnections,
): Promise<HostileExchange> {
  const { bytes, manner } = request
  const socket = connect({ port, host: '127.0.0.1' })
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  if (!connected) return { answers: [], fault: 'no connection' }
  // A service that has refused a request need not read the rest of it for long.
  socket.on('error', () => undefined)
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  switch (manner) {
    case 'half, then held':
    case 'without reading':
      socket.pause()
      await written(socket, manner === 'without reading' ? bytes : half)
      held.hold(socket)
      return { answers: [] }
    case 'half, then closed':
      await written(socket, half)
      socket.destroy()
      return { answers: [] }
    case 'half, then reset':
    case 'whole, then reset':
      await written(socket, manner === 'half, then reset' ? half : bytes)
      socket.resetAndDestroy()
      return { answers: [] }
    default:
      return read(socket, request)
  }
}

/** Resolves when the bytes left, or will not any more. */
async function written(socket: Socket, bytes: Buffer): Promise<void> {
  await Promise.race([
    new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
      socket.write(bytes, () => resolve())
    }),
    sleep(1000),
  ])
}

async function read(
  socket: Socket,
  { bytes, manner, isHead, isUnfinished, operation: { isStream } }: HostileRequest,
): Promise<HostileExchange> {
  const wanted = manner === 'pipelined' ? together : 1
  const pieces: Buffer[] = []
  let length = 0
  let answers: RawAnswer[] = []
  let fault: string | undefined
  const done = Promise.withResolvers<void>()
  const look = (isOver: boolean) => {
    try {
      answers = parseAnswers(Buffer.concat(pieces), { isHead, isOver })
      // The others come to nothing where one of them is the last.
      if (isOver || answers.length >= wanted || answers.at(-1)?.headers['connection'] === 'close')
        done.resolve()
    } catch (error) {
      fault = String(error)
      done.resolve()
    }
  }
  let seen = 0
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
    // Large answers are looked at now and then only.
    if (length - seen < seen / 8) return
    seen = length
    look(false)
  })
  const looking = setInterval(() => length > 0 && look(false), 200)
  socket.once('close', () => look(true))
  const writing = async () => {
    const all = manner === 'pipelined' ? Buffer.concat(Array.from({ length: together }, () => bytes)) : bytes
    const size = manner === 'slowly' ? Math.ceil(all.length / slowPieces) : all.length
    for (let at = 0; at < all.length && socket.writable; at += size) {
      socket.write(all.subarray(at, at + size))
      if (manner === 'slowly') await sleep(betweenPiecesMs)
    }
    if (isUnfinished) socket.end()
  }
  void writing()
  const late = new AbortController()
  await Promise.race([
    done.promise,
    sleep(isStream ? streamMs : patience(longestMs), undefined, { signal: late.signal }).then(
      () => isStream || (fault ??= 'no complete answer'),
      () => undefined,
    ),
  ])
  late.abort()
  clearInterval(looking)
  socket.destroy()
  if (answers.length === 0 && !isUnfinished && !isStream) fault ??= 'closed without an answer'
  return { answers, ...(fault !== undefined && { fault }) }
}
