/** The thread of prepare-apart.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { prepare } from './prepare.ts'

const { code, globals } = workerData as { code: string; globals: readonly string[] }
parentPort!.postMessage(prepare(code, globals))
