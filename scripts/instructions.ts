/** Prints the page of instructions of a scenario: `node scripts/instructions.ts session-service`. */
import { scenarios } from '../scenarios/index.ts'
import { formatInstructionPage } from '../scenarios/test/instructions.ts'

const scenario = scenarios.find(({ id }) => id === process.argv[2])
if (scenario) process.stdout.write(formatInstructionPage(scenario))
else {
  process.stderr.write(`Name one scenario: ${scenarios.map(({ id }) => id).join(', ')}.\n`)
  process.exitCode = 1
}
