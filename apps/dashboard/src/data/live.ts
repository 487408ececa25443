/** The list of evaluations, kept current by the service's event stream, or by polling without one. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { withEvaluation, removeEvaluation } from '../pure/listed.ts'
import { streamChanges } from './api.ts'
import { evaluationsQuery, isRunning } from './queries.ts'

const { queryKey } = evaluationsQuery
/** Pause before a stream is opened again, in milliseconds. */
const againMs = 2_000
/** Intervals of polls in milliseconds; with a stream, a poll corrects what it may have lost. */
const polls = { running: 1_500, idle: 10_000, streamed: 60_000 }

export function useLiveEvaluations() {
  const client = useQueryClient()
  const [streams, setStreams] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    void followAll(client, stop.signal, setStreams)
    return () => stop.abort()
  }, [client])
  return useQuery({
    ...evaluationsQuery,
    refetchInterval: ({ state }) =>
      streams ? polls.streamed : state.data?.some(isRunning) ? polls.running : polls.idle,
  })
}

/** Writes what happens into the list, until the signal; `tell` hears whether a stream is open. */
async function followAll(client: QueryClient, signal: AbortSignal, tell: (streams: boolean) => void) {
  let last: string | undefined
  while (!signal.aborted) {
    try {
      for await (const told of streamChanges(last, signal)) {
        last = told.id ?? last
        tell(true)
        if (told.event === 'start' && told.data.missed) void client.invalidateQueries({ queryKey })
        if (told.event === 'evaluation')
          client.setQueryData(queryKey, (all) => withEvaluation(all, told.data))
        if (told.event === 'removed')
          client.setQueryData(queryKey, (all) => removeEvaluation(all, told.data.id))
      }
    } catch {
      // The list is polled meanwhile.
    }
    if (signal.aborted) return
    tell(false)
    await new Promise((resolve) => setTimeout(resolve, againMs))
  }
}
