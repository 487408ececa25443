/** Parts of a service: handlers and jobs that get their part of the service's context. */
import type { AnyAnswer } from './http/handler.ts'
import type { JobDefinition } from './job.ts'

type PartHandlers<Part> = Record<string, (request: never, context: Part) => Promise<AnyAnswer>>

/** The handlers of a part for the context that `select` takes the part's from. */
export const bindHandlers = <Context, Part, Handlers extends PartHandlers<Part>>(
  handlers: Handlers,
  select: (context: Context) => Part,
) =>
  Object.fromEntries(
    Object.entries(handlers).map(([id, handle]) => [
      id,
      (request: never, context: Context) => handle(request, select(context)),
    ]),
  ) as unknown as {
    [Id in keyof Handlers]: (
      request: Parameters<Handlers[Id]>[0],
      context: Context,
    ) => ReturnType<Handlers[Id]>
  }

/** The job of a part, in the same way. */
export const bindJob = <Context, Part, Payload, Value>(
  { handle, cancelled, ended, ...job }: JobDefinition<Part, Payload, Value>,
  select: (context: Context) => Part,
): JobDefinition<Context, Payload, Value> => ({
  ...job,
  handle: (payload, context, run) => handle(payload, select(context), run),
  ...(cancelled && { cancelled: (payload, id, context) => cancelled(payload, id, select(context)) }),
  ...(ended && {
    ended: (payload, outcome, id, context) => ended(payload, outcome, id, select(context)),
  }),
})

export type JoinedParts<Part> = (Part extends unknown ? (part: Part) => void : never) extends (
  part: infer Joined,
) => void
  ? Joined
  : never

/** Joins parts of a context into one record, whose members are read from their part at each use. */
export function joinParts<Context extends object, Name extends keyof Context>(
  context: Context,
  names: readonly Name[],
): JoinedParts<Context[Name]> {
  const joined = {}
  for (const name of names)
    for (const member of Object.keys(context[name] as object) as (keyof Context[Name])[])
      Object.defineProperty(joined, member, {
        get: () => context[name][member],
        enumerable: true,
        configurable: true,
      })
  return joined as JoinedParts<Context[Name]>
}
