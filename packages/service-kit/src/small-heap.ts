/**
 * Services with little data import this before everything else. On a machine with much memory, V8 uses it
 * instead of collecting: three times what is needed. So young objects get at most this much room, and old
 * ones a quarter more than they fill.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const youngBytes = 16 * 2 ** 20
const isGrown = () =>
  getHeapSpaceStatistics().some((space) => space.space_name === 'new_space' && space.space_size >= youngBytes)

setFlagsFromString('--heap-growing-percent=25')
// Node takes such a bound when it starts only, and whoever starts it knows nothing of it. The room grows by
// itself while objects live.
const living: object[] = []
while (living.length < 2_000_000 && !(living.length % 10_000 === 0 && isGrown())) living.push({})
setFlagsFromString('--semi-space-growth-factor=1')
