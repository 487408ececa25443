/** Documents that worlds are inferred from: files, folders, archives, and addresses. */
import { Failure } from '../command.ts'
import { readSpecification } from '../suite/specification-files.ts'

/** Reads a specification or a list of tools. A URL is asked for only where its network is allowed. */
export async function readWorldSource(
  source: string,
  allow: readonly string[],
): Promise<{ name: string; text: string }> {
  if (!/^https?:\/\//i.test(source)) return readSpecification(source)
  const { createCaller } = await import('@stateeval/live-world')
  const { pathname, search, origin } = new URL(source)
  const { status, text } = await refuseCleanly(() =>
    createCaller({ baseUrl: origin, allow }).send({
      method: 'GET',
      path: pathname,
      query: Object.fromEntries(new URLSearchParams(search)),
    }),
  )
  if (status !== 200)
    throw new Failure(`${source} answered ${status}. Name the address of the document itself.`)
  return { name: pathname.split('/').at(-1) || 'document', text }
}

/** Runs a call; its refusal becomes a failure of the command. */
export async function refuseCleanly<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && error.name === 'CallRefusal') throw new Failure(error.message)
    throw error
  }
}
