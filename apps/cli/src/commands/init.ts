import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CommandModule, defineCommand, Failure } from '../command.ts'
import { fileName } from '../configuration/file.ts'
import { formatConfigurationTemplate } from '../configuration/template.ts'
import { describeCommands } from '../shell/describe.ts'

/** `all` returns every command; the file lists their options. */
export const createInit = (all: () => readonly CommandModule<object>[]) =>
  defineCommand<{ url?: string; force?: boolean }>({
    name: 'init',
    describe: `Write ${fileName}, a commented configuration file that every command reads`,
    example: 'npx stateeval init\nnpx stateeval init --url https://stateeval.example.com',
    configure: (command) =>
      command
        .option('--url <url>', 'address of the evaluation service (default: the one that up starts here)')
        .option('--force', `replace a ${fileName} that exists`),
    run: async ({ options: { url = null, force = false }, terminal }) => {
      if (url !== null && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
        throw new Failure(`--url takes an address such as https://stateeval.example.com, not '${url}'.`)
      const path = resolve(fileName)
      const text = formatConfigurationTemplate(describeCommands(all()), url)
      try {
        await writeFile(path, text, { flag: force ? 'w' : 'wx' })
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        throw new Failure(
          code === 'EEXIST'
            ? `${path} exists. Edit it, or replace it with --force.`
            : `${path} cannot be written: ${message}`,
        )
      }
      terminal.result(
        { path, url },
        () => `Wrote ${path}. Every setting in it is a comment until you edit it.`,
      )
      return 0
    },
  })
