/**
 * Writes what PyTorch gives for some programs: `node record.ts PYTHON`, where a torch of 1.13 is installed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRng } from '@stateeval/program'
import { inPytorch } from './agree.ts'
import { randomProgram } from './programs.ts'

const programs = Array.from({ length: 30 }, (_, at) => randomProgram(createRng(`recorded/${at}`), 12))
writeFileSync(
  join(import.meta.dirname, 'recorded.json'),
  JSON.stringify(await inPytorch(process.argv[2] ?? '/usr/bin/python3', programs)) + '\n',
)
