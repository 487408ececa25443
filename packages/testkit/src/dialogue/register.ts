/**
 * Adds the dialogue benchmark to the list in this process and its threads. Import it before the services;
 * for processes, use --import.
 */
import { benchmarks } from '@stateeval/benchmarks'
import type { MakeBenchmark } from '@stateeval/program'
import { preloadInThreads } from '@stateeval/service-kit/threads'
import { dialogue } from './benchmark.ts'

const list = benchmarks as MakeBenchmark[]
const dialogueBenchmark: MakeBenchmark = dialogue
if (!list.includes(dialogueBenchmark)) list.push(dialogueBenchmark)
preloadInThreads(import.meta.url)
