/** The queries of the views, by their keys in the cache. */
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import { ServiceError } from '@stateeval/client'
import type { DeadLetterFilter, JobStatus, SampleTableQuery } from '@stateeval/contracts'
import { inFile } from 'virtual:contract'
import { api } from './api.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // A refused request stays so, and what a file lacks stays missing.
      retry: (count, error) => !inFile && !(error instanceof ServiceError) && count < 2,
    },
  },
})

/** The entries of a list that are read, unless it ends before; views say where a list ends there. */
export const mostListed = 20_000

interface Page<T> {
  items: T[]
  next?: string
}
/** All entries of a list, or the first ones of a very long list. */
async function all<T>(
  read: (query: { limit: number; cursor?: string }) => Promise<Page<T>>,
  signal?: AbortSignal,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  // A filtered page may have fewer entries than its limit, or none, and still have a next one.
  while (items.length < mostListed) {
    signal?.throwIfAborted()
    const page = await read({ limit: 500, ...(cursor !== undefined && { cursor }) })
    items.push(...page.items)
    cursor = page.next
    if (cursor === undefined) break
  }
  return items
}

export const isRunning = ({ status }: { status: JobStatus }): boolean =>
  status === 'running' || status === 'queued'

export const evaluationsQuery = queryOptions({
  queryKey: ['evaluations'],
  queryFn: () => all((query) => api().listEvaluations({ query })),
})
export const evaluationQuery = (id: string) =>
  queryOptions({ queryKey: ['evaluation', id], queryFn: () => api().getEvaluation({ params: { id } }) })
export const summaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['summary', id],
    queryFn: () => api().getEvaluationSummary({ params: { id } }),
  })
export const benchmarksQuery = queryOptions({
  queryKey: ['benchmarks'],
  queryFn: () => all((query) => api().listBenchmarks({ query })),
})
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => all((query) => api().listModels({ query })),
})
/** With what a probe found, which the list leaves out. */
export const modelQuery = (name: string) =>
  queryOptions({ queryKey: ['model', name], queryFn: () => api().getModel({ params: { name } }) })
export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  queryFn: async () => (await api().listBenchmarkKinds()).items,
  staleTime: Infinity,
})
export const callerQuery = queryOptions({ queryKey: ['caller'], queryFn: () => api().getCaller() })
export const samplesQuery = (id: string, query: SampleTableQuery) =>
  queryOptions({
    queryKey: ['samples', id, query],
    // Pages that are scrolled past are not waited for.
    queryFn: ({ signal }) => api().listEvaluationSamples({ params: { id }, query, signal }),
  })
export const sampleQuery = (id: string, place: number) =>
  queryOptions({
    queryKey: ['sample', id, place],
    queryFn: () => api().getEvaluationSample({ params: { id, place: String(place) } }),
    staleTime: 60_000,
  })
export const referenceQuery = (
  benchmark: string,
  name: string,
  language: 'javascript' | 'python' | undefined,
) =>
  queryOptions({
    queryKey: ['reference', benchmark, name, language],
    queryFn: () =>
      api().getBenchmarkReference({
        params: { id: benchmark, case: name },
        query: language ? { language } : {},
      }),
    staleTime: Infinity,
  })
/** Samples of the cases that differ from a baseline in one direction, page by page. */
export const flipsQuery = (id: string, baseline: string, differs: 'better' | 'worse') =>
  infiniteQueryOptions({
    queryKey: ['flips', id, baseline, differs],
    queryFn: ({ pageParam }) =>
      api().listEvaluationSamples({
        params: { id },
        query: { baseline, differs, from: pageParam, limit: flipsPage },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, _pages, from) => (from + flipsPage < total ? from + flipsPage : undefined),
    staleTime: Infinity,
  })
const flipsPage = 500

export const benchmarkQuery = (id: string) =>
  queryOptions({
    queryKey: ['benchmark', id],
    queryFn: () => api().getBenchmark({ params: { id } }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? 1_500 : false),
  })
/** Changes only while a set is built. */
export const coverageQuery = (id: string) =>
  queryOptions({
    queryKey: ['coverage', id],
    queryFn: () => api().getBenchmarkCoverage({ params: { id } }),
  })
export const roundTripQuery = (id: string) =>
  queryOptions({
    queryKey: ['round-trip', id],
    queryFn: () => api().getBenchmarkRoundTrip({ params: { id } }),
    staleTime: Infinity,
  })
export const benchmarkCasesQuery = (id: string, from: number, limit: number) =>
  queryOptions({
    queryKey: ['benchmark-cases', id, from, limit],
    queryFn: () =>
      api().listBenchmarkCases({
        params: { id },
        query: { limit, ...(from > 0 && { cursor: String(from) }) },
      }),
    staleTime: Infinity,
  })
export const benchmarkCaseQuery = (id: string, name: string) =>
  queryOptions({
    queryKey: ['benchmark-case', id, name],
    queryFn: () => api().getBenchmarkCase({ params: { id, case: name } }),
    staleTime: Infinity,
  })
export const reviewsQuery = (id: string) =>
  queryOptions({
    queryKey: ['reviews', id],
    queryFn: () => all((query) => api().listReviews({ params: { id }, query })),
  })
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: () => api().getInstallation(),
  refetchInterval: 5_000,
})
export const deadLettersQuery = (filter: DeadLetterFilter) =>
  queryOptions({
    queryKey: ['dead-letters', filter],
    queryFn: ({ signal }) =>
      all((query) => api().listDeadLetters({ query: { ...query, ...filter }, signal }), signal),
    refetchInterval: 10_000,
  })
