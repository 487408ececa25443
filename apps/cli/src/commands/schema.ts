import { type CommandModule, defineCommand, Failure } from '../command.ts'

/** `all` returns every command. */
export const createSchema = (all: () => readonly CommandModule<object>[]) =>
  defineCommand({
    name: 'schema <command>',
    describe: 'Print the JSON Schema of what a command prints with --json',
    example: 'npx stateeval schema report > report.schema.json',
    run: async ({ args, terminal }) => {
      const name = args[0]!
      // Loaded here: no other command needs the contracts' schemas at once.
      const { resultSchemas } = await import('../results/schemas.ts')
      const schema = Object.hasOwn(resultSchemas, name) ? resultSchemas[name] : undefined
      if (schema === undefined) {
        const known = all().some((command) => command.name.split(' ')[0] === name)
        throw new Failure(
          known
            ? `${name} prints no result, so it has no schema.`
            : `There is no command '${name}'. List the commands with stateeval --help.`,
        )
      }
      const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }
      terminal.result(document, () => JSON.stringify(document, null, 2))
      return 0
    },
  })
