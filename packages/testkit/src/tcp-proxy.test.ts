import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { startTcpProxy } from './tcp-proxy.ts'

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

test('bytes pass in their order, late, not at all, or to nobody, as the weather is', async () => {
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const address = echo.address()
  const target = { host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 }
  const proxy = await startTcpProxy(() => target)
  const open = async () => {
    const socket = connect(proxy.port, '127.0.0.1')
    await once(socket, 'connect')
    return socket.on('error', () => undefined)
  }
  const echoed = async (socket: Socket, text: string) => {
    socket.write(text)
    let heard = ''
    while (heard.length < text.length) heard += String(((await once(socket, 'data')) as [Buffer])[0])
    return heard
  }
  const socket = await open()
  expect(await echoed(socket, 'clear')).toBe('clear')
  proxy.set({ latencyMs: 20 })
  const order: string[] = []
  await Promise.all([
    echoed(socket, 'late').then((text) => order.push(text)),
    new Promise((resolve) => setTimeout(resolve, 35)).then(() => order.push('both ways')),
  ])
  expect(order).toEqual(['both ways', 'late'])
  proxy.set({ silent: true })
  let isHeard = false
  const silent = echoed(socket, 'silence').then((text) => (isHeard = text === 'silence'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isHeard).toBe(false)
  proxy.set()
  expect(await silent).toBe(true)
  proxy.cut()
  await closed(socket)
  proxy.set({ refusing: true })
  const refused = connect(proxy.port, '127.0.0.1').on('error', () => undefined)
  await closed(refused)
  proxy.set()
  expect(await echoed(await open(), 'again')).toBe('again')
  await proxy.close()
  await new Promise((resolve) => echo.close(resolve))
})
