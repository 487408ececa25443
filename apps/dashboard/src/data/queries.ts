/** The queries of the views, by their keys in the cache. */
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import { ServiceError } from '@stateeval/client'
import type { DeadLetterFilter, JobStatus, SampleTableQuery } from '@stateeval/contracts'
import { inFile } from 'virtual:contract'
import { getApi } from './api.ts'

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

interface QueryPage<T> {
  items: T[]
  next?: string
}
/** All entries of a list, or the first ones of a very long list. */
async function listAll<T>(
  read: (query: { limit: number; cursor?: string }) => Promise<QueryPage<T>>,
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
  queryFn: () => listAll((query) => getApi().listEvaluations({ query })),
})
export const createEvaluationQuery = (id: string) =>
  queryOptions({ queryKey: ['evaluation', id], queryFn: () => getApi().getEvaluation({ params: { id } }) })
export const createSummaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['summary', id],
    queryFn: () => getApi().getEvaluationSummary({ params: { id } }),
  })
export const benchmarksQuery = queryOptions({
  queryKey: ['benchmarks'],
  queryFn: () => listAll((query) => getApi().listBenchmarks({ query })),
})
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => listAll((query) => getApi().listModels({ query })),
})
/** With what a probe found, which the list leaves out. */
export const createModelQuery = (name: string) =>
  queryOptions({ queryKey: ['model', name], queryFn: () => getApi().getModel({ params: { name } }) })
export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  queryFn: async () => (await getApi().listBenchmarkKinds()).items,
  staleTime: Infinity,
})
export const callerQuery = queryOptions({ queryKey: ['caller'], queryFn: () => getApi().getCaller() })
export const createSamplesQuery = (id: string, query: SampleTableQuery) =>
  queryOptions({
    queryKey: ['samples', id, query],
    // Pages that are scrolled past are not waited for.
    queryFn: ({ signal }) => getApi().listEvaluationSamples({ params: { id }, query, signal }),
  })
export const sampleQuery = (id: string, place: number) =>
  queryOptions({
    queryKey: ['sample', id, place],
    queryFn: () => getApi().getEvaluationSample({ params: { id, place: String(place) } }),
    staleTime: 60_000,
  })
export const createReferenceQuery = (
  benchmark: string,
  name: string,
  language: 'javascript' | 'python' | undefined,
) =>
  queryOptions({
    queryKey: ['reference', benchmark, name, language],
    queryFn: () =>
      getApi().getBenchmarkReference({
        params: { id: benchmark, case: name },
        query: language ? { language } : {},
      }),
    staleTime: Infinity,
  })
/** Samples of the cases that differ from a baseline in one direction, page by page. */
export const createFlipsQuery = (id: string, baseline: string, differs: 'better' | 'worse') =>
  infiniteQueryOptions({
    queryKey: ['flips', id, baseline, differs],
    queryFn: ({ pageParam }) =>
      getApi().listEvaluationSamples({
        params: { id },
        query: { baseline, differs, from: pageParam, limit: flipsPage },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, _pages, from) => (from + flipsPage < total ? from + flipsPage : undefined),
    staleTime: Infinity,
  })
const flipsPage = 500

export const createBenchmarkQuery = (id: string) =>
  queryOptions({
    queryKey: ['benchmark', id],
    queryFn: () => getApi().getBenchmark({ params: { id } }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? 1_500 : false),
  })
/** Changes only while a set is built. */
export const createCoverageQuery = (id: string) =>
  queryOptions({
    queryKey: ['coverage', id],
    queryFn: () => getApi().getBenchmarkCoverage({ params: { id } }),
  })
export const createRoundTripQuery = (id: string) =>
  queryOptions({
    queryKey: ['round-trip', id],
    queryFn: () => getApi().getBenchmarkRoundTrip({ params: { id } }),
    staleTime: Infinity,
  })
export const createBenchmarkCasesQuery = (id: string, from: number, limit: number) =>
  queryOptions({
    queryKey: ['benchmark-cases', id, from, limit],
    queryFn: () =>
      getApi().listBenchmarkCases({
        params: { id },
        query: { limit, ...(from > 0 && { cursor: String(from) }) },
      }),
    staleTime: Infinity,
  })
export const createBenchmarkCaseQuery = (id: string, name: string) =>
  queryOptions({
    queryKey: ['benchmark-case', id, name],
    queryFn: () => getApi().getBenchmarkCase({ params: { id, case: name } }),
    staleTime: Infinity,
  })
export const createReviewsQuery = (id: string) =>
  queryOptions({
    queryKey: ['reviews', id],
    queryFn: () => listAll((query) => getApi().listReviews({ params: { id }, query })),
  })
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: () => getApi().getInstallation(),
  refetchInterval: 5_000,
})
export const createDeadLettersQuery = (filter: DeadLetterFilter) =>
  queryOptions({
    queryKey: ['dead-letters', filter],
    queryFn: ({ signal }) =>
      listAll((query) => getApi().listDeadLetters({ query: { ...query, ...filter }, signal }), signal),
    refetchInterval: 10_000,
  })
