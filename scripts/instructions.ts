/** Writes docs/instructions: 30 instructions of each scenario, for people to read. */
import { writeFileSync } from 'node:fs'
import { scenarios } from '../scenarios/index.ts'
import { instructionPage } from '../scenarios/test/instructions.ts'

for (const scenario of scenarios)
  writeFileSync(new URL(`../docs/instructions/${scenario.id}.md`, import.meta.url), instructionPage(scenario))
