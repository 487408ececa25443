/** Every command, in the order of --help. A new command is a file here and a line below. */
import { answers } from './answers.ts'
import { audit } from './audit.ts'
import { auditBenchmark } from './audit-benchmark.ts'
import { backup } from './backup.ts'
import { backupInstallation } from './backup-installation.ts'
import { build } from './build.ts'
import { cancel } from './cancel.ts'
import type { CommandModule } from '../command.ts'
import { certify } from './certify.ts'
import { check } from './check.ts'
import { compare } from './compare.ts'
import { createCompletion } from './completion.ts'
import { deadLetters } from './dead-letters.ts'
import { remove } from './delete.ts'
import { doctor } from './doctor.ts'
import { down } from './down.ts'
import { evaluate } from './evaluate.ts'
import { exportData } from './export.ts'
import { gate } from './gate.ts'
import { generate } from './generate.ts'
import { importData } from './import.ts'
import { createInit } from './init.ts'
import { list } from './list.ts'
import { keys } from './keys.ts'
import { model } from './model.ts'
import { paper } from './paper.ts'
import { projects } from './projects.ts'
import { prompts } from './prompts.ts'
import { recording } from './recording.ts'
import { report } from './report.ts'
import { rescore } from './rescore.ts'
import { restore } from './restore.ts'
import { restoreInstallation } from './restore-installation.ts'
import { resume } from './resume.ts'
import { review } from './review.ts'
import { run } from './run.ts'
import { createSchema } from './schema.ts'
import { serve } from './serve.ts'
import { show } from './show.ts'
import { status } from './status.ts'
import { streams } from './streams.ts'
import { tables } from './tables.ts'
import { tag } from './tag.ts'
import { trackCommand } from './track.ts'
import { up } from './up.ts'
import { verify } from './verify.ts'
import { webhooks } from './webhooks.ts'
import { world } from './world.ts'

const listCommands = () => commands

export const commands: readonly CommandModule<object>[] = [
  up,
  down,
  status,
  doctor,
  serve,
  generate,
  build,
  check,
  world,
  importData,
  list,
  show,
  review,
  model,
  prompts,
  evaluate,
  gate,
  streams,
  resume,
  rescore,
  cancel,
  tag,
  remove,
  deadLetters,
  keys,
  projects,
  webhooks,
  audit,
  backup,
  restore,
  backupInstallation,
  restoreInstallation,
  report,
  answers,
  exportData,
  certify,
  verify,
  auditBenchmark,
  compare,
  trackCommand,
  tables,
  paper,
  recording,
  run,
  createInit(listCommands),
  createCompletion(listCommands),
  createSchema(listCommands),
]
