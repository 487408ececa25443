/**
 * All orders in which a driver may end what it was told, with a model of the driver: a `close` takes the
 * connection away when it ends, whenever that is, and a `connect` that is under way may still make one
 * afterwards.
 */
import { expect, test } from '@jest/globals'
import {
  advanceConnection,
  type ConnectionAction,
  type ConnectionEvent,
  type ConnectionState,
  beginAttempt,
  isOver,
  unconnected,
} from '../src/connection-state.ts'

interface Driver {
  isConnecting: boolean
  isClosing: boolean
  isConnected: boolean
}
interface World {
  state: ConnectionState
  driver: Driver
  isWaiting: boolean
}

function begin({ state, driver, isWaiting }: World, action: ConnectionAction | null): World {
  if (action === 'connect') {
    // A driver that is connected still takes it as done, and is cut off when its `close` ends.
    expect(driver.isClosing).toBe(false)
    expect(driver.isConnecting).toBe(false)
    return { state, isWaiting, driver: { ...driver, isConnecting: true } }
  }
  if (action === 'close') {
    expect(driver.isClosing).toBe(false)
    return { state, isWaiting, driver: { ...driver, isClosing: true } }
  }
  return { state, driver, isWaiting: isWaiting || action === 'wait' }
}
function tell(world: World, event: ConnectionEvent): World {
  const { state, action } = advanceConnection(world.state, event)
  return begin({ ...world, state }, action)
}

/** Everything that may happen next by itself. */
function ends(world: World): World[] {
  const { driver } = world
  const next: World[] = []
  if (driver.isConnecting) {
    const made = { ...driver, isConnecting: false, isConnected: true }
    next.push(tell({ ...world, driver: made }, 'connected'))
    if (!driver.isConnected)
      next.push(tell({ ...world, driver: { ...driver, isConnecting: false } }, 'failed'))
  }
  if (driver.isClosing)
    next.push(tell({ ...world, driver: { ...driver, isClosing: false, isConnected: false } }, 'closed'))
  if (world.isWaiting) next.push(tell({ ...world, isWaiting: false }, 'waited'))
  return next
}
/** What a server and an owner may do besides. */
const disturbances = (world: World): World[] => [
  tell(world, 'hung'),
  ...(world.state.isStopping ? [] : [tell(world, 'stop')]),
]

/** Every world that can be reached from some others. */
function reachable(from: readonly World[], next: (world: World) => readonly World[]): Map<string, World> {
  const worlds = new Map<string, World>()
  const open = [...from]
  for (let world = open.pop(); world; world = open.pop()) {
    const key = JSON.stringify(world)
    if (worlds.has(key)) continue
    worlds.set(key, world)
    open.push(...next(world))
  }
  return worlds
}

const { state, action } = beginAttempt(unconnected)
const all = reachable(
  [
    begin(
      { state, isWaiting: false, driver: { isConnecting: false, isClosing: false, isConnected: false } },
      action,
    ),
  ],
  (world) => [...ends(world), ...disturbances(world)],
)

test('nothing is connected while the client is being closed, in any order', () => {
  // Expected above, in each of them.
  expect(all.size).toBeGreaterThan(20)
})

test('what is at rest is connected, or was stopped and has no connection left', () => {
  const atRest = [...all.values()].filter((world) => ends(world).length === 0)
  expect(atRest.map((world) => [world.state.isOpen, isOver(world.state), world.driver.isConnected])).toEqual(
    expect.arrayContaining([
      [true, false, true],
      [false, true, false],
    ]),
  )
  for (const { state: resting, driver } of atRest)
    expect([resting.isStopping, isOver(resting), resting.isOpen, driver.isConnected]).toEqual(
      resting.isStopping ? [true, true, false, false] : [false, false, true, true],
    )
})

test('whatever happened, a connection is made once the driver can', () => {
  // Attempts no longer fail; nothing else is done. From any world, rest is reached on every way.
  const succeed = (world: World) =>
    ends(world).filter((next) => !(next.state.isWaiting && !world.state.isWaiting))
  for (const world of all.values()) {
    let now = [world]
    for (let steps = 0; now.length > 0; steps++) {
      expect(steps).toBeLessThan(12)
      now = [...reachable(now.flatMap(succeed), () => []).values()]
    }
  }
})

test('a stop is over only when nothing is under way', () => {
  for (const { state: reached, driver } of all.values())
    if (isOver(reached)) expect(driver).toEqual({ isConnecting: false, isClosing: false, isConnected: false })
})
