/** The explicit list of strategies. */
import type { StrategyId } from '../options.ts'
import { coverage } from './coverage.ts'
import { planned } from './planned.ts'
import { random } from './random.ts'
import type { SearchStrategy } from './strategy.ts'

export const strategies: Readonly<Record<StrategyId, SearchStrategy>> = { planned, coverage, random }
