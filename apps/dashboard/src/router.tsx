/** The views by path. Only the path and its search parameters determine what a view shows. */
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router'
import type { Language, Review } from '@stateeval/contracts'
import { inFile } from 'virtual:contract'
import { aboutFile } from './data/file.ts'
import type { PairKind } from './parts/coverage.tsx'
import { Shell } from './parts/shell.tsx'
import { Failure } from './parts/states.tsx'
import { type ListFilter, sortings } from './pure/listed.ts'
import { sampleSearch } from './pure/samples.ts'
import { readChoice, readWholeNumber, reviewStatuses, readSearchText, readTextList } from './pure/search.ts'
import { BenchmarkView } from './views/benchmark.tsx'
import { BenchmarkCasesView, BenchmarkCaseView } from './views/benchmark-cases.tsx'
import { BenchmarksView } from './views/benchmarks.tsx'
import { CaseView } from './views/case.tsx'
import { CasesView } from './views/cases.tsx'
import { CompareView } from './views/compare.tsx'
import { EvaluationView } from './views/evaluation.tsx'
import { EvaluationsView } from './views/evaluations.tsx'
import { NewEvaluation } from './views/new-evaluation.tsx'
import { NewBenchmark } from './views/new-benchmark.tsx'
import { OperationsView } from './views/operations.tsx'
import { PlanSpecification } from './views/plan-specification.tsx'
import { ReviewView } from './views/review.tsx'
import { SignIn } from './views/sign-in.tsx'

const root = createRootRoute({
  component: Shell,
  errorComponent: ({ error }) => <Failure error={error} />,
  notFoundComponent: () => <p>There is no such view.</p>,
})
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const to = inFile
      ? ({ to: '/evaluations/$id', params: { id: (await aboutFile()).evaluation.id } } as const)
      : ({ to: '/evaluations' } as const)
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is told
    throw redirect(to)
  },
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { back?: string } => {
    const { back } = readSearchText(search, 'back')
    return back !== undefined && /^\/(?!\/)/.test(back) ? { back } : {}
  },
  component: SignIn,
})
const evaluations = createRoute({
  getParentRoute: () => root,
  path: '/evaluations',
  validateSearch: (search: Record<string, unknown>): ListFilter => ({
    ...readSearchText(search, 'q'),
    ...readSearchText(search, 'status'),
    ...readSearchText(search, 'benchmark'),
    ...readSearchText(search, 'tag'),
    ...readChoice(search, 'sort', sortings),
  }),
  component: EvaluationsView,
})
const newEvaluation = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/new',
  validateSearch: (search: Record<string, unknown>): { benchmark?: string; model?: string } => ({
    ...readSearchText(search, 'benchmark'),
    ...readSearchText(search, 'model'),
  }),
  component: NewEvaluation,
})
const evaluation = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/$id',
  component: EvaluationView,
})

const cases = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/$id/cases',
  validateSearch: sampleSearch,
  component: CasesView,
})
const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/$id/cases/$place',
  validateSearch: (search: Record<string, unknown>): { input?: number; attempt?: number; step?: string } => ({
    ...readWholeNumber(search, 'input'),
    ...readWholeNumber(search, 'attempt'),
    ...readSearchText(search, 'step'),
  }),
  component: CaseView,
})
const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: (search: Record<string, unknown>): { baseline?: string; others?: string[] } => ({
    ...readSearchText(search, 'baseline'),
    ...readTextList(search, 'others'),
  }),
  component: CompareView,
})

const benchmarks = createRoute({
  getParentRoute: () => root,
  path: '/benchmarks',
  component: BenchmarksView,
})
const newBenchmark = createRoute({
  getParentRoute: () => root,
  path: '/benchmarks/new',
  validateSearch: (search: Record<string, unknown>): { kind?: string; scenario?: string } => ({
    ...readSearchText(search, 'kind'),
    ...readSearchText(search, 'scenario'),
  }),
  component: NewBenchmark,
})
const planSpecification = createRoute({
  getParentRoute: () => root,
  path: '/benchmarks/plan',
  component: PlanSpecification,
})
const benchmark = createRoute({
  getParentRoute: () => root,
  path: '/benchmarks/$id',
  validateSearch: (search: Record<string, unknown>): { pairs?: PairKind } =>
    readChoice(search, 'pairs', ['adjacent', 'linked'] as const),
  component: BenchmarkView,
})
const benchmarkCases = createRoute({
  getParentRoute: () => root,
  path: '/benchmarks/$id/cases',
  validateSearch: (search: Record<string, unknown>): { from?: number } => readWholeNumber(search, 'from'),
  component: BenchmarkCasesView,
})
const benchmarkCase = createRoute({
  getParentRoute: () => root,
  path: '/benchmarks/$id/cases/$case',
  validateSearch: (search: Record<string, unknown>): { language?: Language } =>
    readChoice(search, 'language', ['javascript', 'python'] as const),
  component: BenchmarkCaseView,
})
const review = createRoute({
  getParentRoute: () => root,
  path: '/benchmarks/$id/review',
  validateSearch: (search: Record<string, unknown>): { status?: Review['status']; at?: number } => ({
    ...readChoice(search, 'status', reviewStatuses),
    ...readWholeNumber(search, 'at'),
  }),
  component: ReviewView,
})
const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  validateSearch: (search: Record<string, unknown>): { kind?: string; error?: string } => ({
    ...readSearchText(search, 'kind'),
    ...readSearchText(search, 'error'),
  }),
  component: OperationsView,
})

const ofOne = [home, evaluation, cases, oneCase] as const
const ofAll = [signIn, evaluations, newEvaluation, compare, operations] as const
const ofSets = [
  benchmarks,
  newBenchmark,
  planSpecification,
  benchmark,
  benchmarkCases,
  benchmarkCase,
  review,
] as const
const routeTree = root.addChildren([...ofOne, ...ofAll, ...ofSets])
export const router = createRouter({
  // A file knows one evaluation, and has its own address for all views.
  routeTree: inFile ? (root.addChildren(ofOne) as unknown as typeof routeTree) : routeTree,
  ...(inFile && { history: createHashHistory() }),
  defaultPreload: false,
})
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
