/** Follows a running evaluation: the service's stream updates the cache that views read. */
import { useQueryClient } from '@tanstack/react-query'
import type { EvaluationResource } from '@stateeval/contracts'
import { useEffect } from 'react'
import { inFile } from 'virtual:contract'
import { streamEvaluationProgress } from './api.ts'

/** Between two looks at a report that grows, in milliseconds: it is made anew each time. */
const reportEveryMs = 3_000
const againMs = 2_000

/** Follows it while `running`; an interrupted stream is resumed. */
export function useFollow(id: string, running: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!running || inFile) return
    const stop = new AbortController()
    let again: ReturnType<typeof setTimeout> | undefined
    let reportAt = 0
    const follow = async () => {
      try {
        for await (const evaluation of streamEvaluationProgress(id, stop.signal)) {
          client.setQueryData<EvaluationResource>(['evaluation', id], evaluation)
          if (performance.now() < reportAt) continue
          reportAt = performance.now() + reportEveryMs
          void client.invalidateQueries({ queryKey: ['summary', id] })
        }
        await client.invalidateQueries({ queryKey: ['summary', id] })
        await client.invalidateQueries({ queryKey: ['evaluations'] })
      } catch {
        if (!stop.signal.aborted) again = setTimeout(() => void follow(), againMs)
      }
    }
    void follow()
    return () => {
      stop.abort()
      clearTimeout(again)
    }
  }, [client, id, running])
}
