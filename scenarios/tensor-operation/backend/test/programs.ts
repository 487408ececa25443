/** Random programs of tensor expressions, each in both languages, valid ones and such as PyTorch refuses. */
import type { RandomSource } from '@stateeval/program'
import { callByName } from './call-by-name.ts'
import { Tensor } from '../torch/tensor.ts'
import { constant } from '../torch/tensor.ts'
import { dtypes, type DtypeName } from '../torch/dtype.ts'
import { functional, torch } from '../torch/functions.ts'
import { product } from '../torch/strides.ts'

export interface Step {
  name: string
  python: string
  /** What the module of ours gave: tensors, a number or a list, or an error. */
  value?: unknown
  error?: [name: string, message: string]
}
export interface Program {
  inputs: Tensor[]
  steps: Step[]
}

type Call = (...args: unknown[]) => unknown
const t = torch as Record<string, Call>
const f = functional as Record<string, Call>

/** An expression in both languages. */
interface Expression {
  python: string
  run: () => unknown
}
interface Named {
  name: string
  tensor: Tensor
}

interface Draws {
  /** Share of inputs that have no elements, or some that are no numbers, infinite, or very small or large. */
  odd?: number
  /** Inputs are of float32 only. */
  single?: boolean
}

export function randomProgram(
  rng: RandomSource,
  length: number,
  { odd = 0, single = false }: Draws = {},
): Program {
  const pick = <T>(all: readonly T[]): T => rng.pick(all)
  const chance = (share: number) => rng.chance(share)
  const kinds: DtypeName[] = single
    ? ['float32']
    : ['float32', 'float32', 'float32', 'float32', 'float64', 'int64', 'int32', 'bool']
  const isOdd = () => odd > 0 && chance(odd)
  const drawShape = (rank: number) => {
    const shape = Array.from({ length: rank }, () => pick([1, 2, 2, 3, 3, 4]))
    return rank > 0 && isOdd() ? shape.with(rng.int(0, rank - 1), 0) : shape
  }
  const make = (shape: readonly number[], kind: DtypeName) => {
    // Quarters are exact, and so are their sums and products: what is rounded differently is then seen.
    const withOdd = kind.startsWith('float') && isOdd()
    const draw = () =>
      withOdd && chance(0.4)
        ? pick([NaN, Infinity, -Infinity, -0, 1e-42, 3e38, -1e30])
        : kind === 'bool'
          ? rng.int(0, 1)
          : kind.startsWith('int')
            ? rng.int(-4, 4)
            : rng.int(-8, 8) / 4
    return constant(Array.from({ length: product(shape) }, draw), shape, dtypes[kind])
  }
  const inputs: Tensor[] = []
  const namedTensors: Named[] = []
  const input = (shape: readonly number[], kind: DtypeName): Named => {
    const named = { name: `v${inputs.length}`, tensor: make(shape, kind) }
    inputs.push(named.tensor)
    namedTensors.push(named)
    return named
  }
  const base = drawShape(rng.int(1, 4))
  input(base, pick(kinds))
  input(chance(0.7) ? base : drawShape(rng.int(0, 4)), pick(kinds))
  const any = () => pick(namedTensors)
  const like = (one: Named) =>
    pick([...namedTensors.filter(({ tensor }) => tensor.shape.join() === one.tensor.shape.join()), any()])
  const dim = (one: Named) =>
    rng.int(-one.tensor.ndim, Math.max(one.tensor.ndim - 1, 0)) + (chance(0.04) ? pick([-1, 1, 5]) : 0)
  const list = (values: readonly unknown[]) => `[${values.join(', ')}]`
  const python = (value: unknown) =>
    value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : String(value)
  const method = (a: Named, name: string, ...args: unknown[]): Expression => ({
    python: `${a.name}.${name}(${args.map((arg) => (Array.isArray(arg) ? list(arg) : python(arg))).join(', ')})`,
    run: () => callByName(a.tensor, name, ...args),
  })
  const pairwise = (name: string): Expression => {
    const [a, b] = [any(), any()]
    const other = like(a)
    const second = chance(0.75) ? other : b
    if (chance(0.2)) {
      const number = pick([2, 3, -1, 0.5, 1.5])
      return { python: `torch.${name}(${a.name}, ${number})`, run: () => t[name]!(a.tensor, number) }
    }
    return {
      python: `torch.${name}(${a.name}, ${second.name})`,
      run: () => t[name]!(a.tensor, second.tensor),
    }
  }
  const alone = (name: string): Expression => {
    const a = any()
    return { python: `torch.${name}(${a.name})`, run: () => t[name]!(a.tensor) }
  }
  const reduction = (name: string): Expression => {
    const a = any()
    if (chance(0.25)) return method(a, name)
    const [along, keep] = [dim(a), chance(0.4)]
    return {
      python: `${a.name}.${name}(dim=${along}, keepdim=${python(keep)})`,
      run: () => callByName(a.tensor, name, { dim: along, keepdim: keep }),
    }
  }
  const factors = (count: number): number[] => {
    const parts: number[] = []
    for (let left = count; left > 1 && parts.length < 3;) {
      const divisors = Array.from({ length: left }, (_, n) => n + 1).filter((n) => left % n === 0)
      const one = pick(divisors)
      parts.push(one)
      left /= one
      if (parts.length === 3 && left > 1) parts[2]! *= left
    }
    return parts.length > 0 ? parts : [count]
  }
  const sizes = (a: Named) => {
    const shape = factors(product(a.tensor.node.shape))
    if (chance(0.4)) shape[rng.int(0, shape.length - 1)] = -1
    if (chance(0.05)) shape.push(2)
    return shape
  }
  const templates: (() => Expression)[] = [
    () => {
      const a = any()
      const all = [a, ...Array.from({ length: rng.int(0, 2) }, () => like(a))]
      const along = dim(a)
      return {
        python: `torch.cat(${list(all.map(({ name }) => name))}, ${along})`,
        run: () =>
          t['cat']!(
            all.map(({ tensor }) => tensor),
            along,
          ),
      }
    },
    () => {
      const a = any()
      const all = [a, like(a)]
      const along = dim(a)
      return {
        python: `torch.stack(${list(all.map(({ name }) => name))}, dim=${along})`,
        run: () =>
          t['stack']!(
            all.map(({ tensor }) => tensor),
            { dim: along },
          ),
      }
    },
    () => {
      const a = any()
      const along = dim(a)
      const size = a.tensor.shape.at(along) ?? 1
      const by: unknown = chance(0.5)
        ? rng.int(chance(0.1) ? -1 : 1, 3)
        : [1, Math.max(0, size - 1)].map((one) => (chance(0.05) ? one + 1 : one))
      return {
        python: `torch.split(${a.name}, ${Array.isArray(by) ? list(by) : String(by)}, dim=${along})`,
        run: () => t['split']!(a.tensor, by, { dim: along }),
      }
    },
    () => {
      const a = any()
      return method(a, 'chunk', rng.int(1, 3), dim(a))
    },
    () => {
      const a = any()
      const [one, two] = [dim(a), dim(a)]
      return {
        python: `torch.transpose(${a.name}, ${one}, ${two})`,
        run: () => t['transpose']!(a.tensor, one, two),
      }
    },
    () => {
      const a = any()
      const dims = rng
        .shuffle(a.tensor.shape.map((_, at) => at))
        .map((one) => (chance(0.2) ? one - a.tensor.ndim : one))
      if (chance(0.05)) dims.pop()
      return chance(0.5)
        ? method(a, 'permute', ...dims)
        : { python: `torch.permute(${a.name}, ${list(dims)})`, run: () => t['permute']!(a.tensor, dims) }
    },
    () => {
      const a = any()
      const width = chance(0.93) ? (a.tensor.shape.at(-1) ?? 1) : 5
      const kind = chance(0.95) && a.tensor.dtype.name !== 'bool' ? a.tensor.dtype.name : 'float64'
      const weight = input([rng.int(1, 4), width], kind)
      const bias = chance(0.5) ? input([weight.tensor.shape[0]! + (chance(0.04) ? 2 : 0)], kind) : null
      return {
        python: `F.linear(${a.name}, ${weight.name}${bias ? `, bias=${bias.name}` : ''})`,
        run: () => f['linear']!(a.tensor, weight.tensor, ...(bias ? [{ bias: bias.tensor }] : [])),
      }
    },
    () => {
      const groups = pick([1, 1, 1, 2])
      const inChannels = rng.int(1, 2)
      const four = namedTensors.filter(({ tensor }) => tensor.ndim === 4 && tensor.dtype.category > 0)
      const image =
        four.length > 0 && chance(0.5)
          ? pick(four)
          : input(
              [rng.int(1, 2), inChannels * groups, rng.int(2, 6), rng.int(2, 6)],
              pick(['float32', 'float32', 'float32', 'float64', 'int64']),
            )
      const channels = chance(0.95) ? Math.max(1, Math.floor(image.tensor.shape[1]! / groups)) : 3
      const weight = input(
        [groups * rng.int(1, 2), channels, rng.int(1, 3), rng.int(1, 3)],
        image.tensor.dtype.name,
      )
      const bias = chance(0.4) ? input([weight.tensor.shape[0]!], image.tensor.dtype.name) : null
      const options: Record<string, unknown> = {
        ...(chance(0.4) && { stride: pick([1, 2, [1, 2], [2, 1]]) }),
        ...(chance(0.6) && { padding: pick([0, 1, [1, 0], [0, 2], "'same'", "'valid'", "'same'"]) }),
        ...(chance(0.3) && { dilation: pick([1, 2, [2, 1]]) }),
        ...(groups > 1 && { groups }),
      }
      const js = Object.fromEntries(
        Object.entries(options).map(([key, value]) => [
          key,
          typeof value === 'string' ? value.slice(1, -1) : value,
        ]),
      )
      const named = Object.entries(options).map(
        ([key, value]) => `${key}=${Array.isArray(value) ? `(${value.join(', ')})` : String(value)}`,
      )
      return {
        python: `F.conv2d(${[image.name, weight.name, ...(bias ? [bias.name] : []), ...named].join(', ')})`,
        run: () => f['conv2d']!(image.tensor, weight.tensor, ...(bias ? [bias.tensor] : []), js),
      }
    },
    () => {
      const a = any()
      return method(a, 'reshape', ...sizes(a))
    },
    () => {
      const a = any()
      return method(a, 'view', ...sizes(a))
    },
    () => method(any(), 'contiguous'),
    () => method(any(), 'flatten', ...(chance(0.5) ? [] : [1])),
    () => {
      const a = any()
      return method(a, 'squeeze', ...(chance(0.5) ? [] : [dim(a)]))
    },
    () => {
      const a = any()
      return method(a, 'unsqueeze', dim(a))
    },
    () => {
      const a = any()
      const b = pick([like(a), any()])
      return chance(0.6)
        ? {
            python: `torch.matmul(${a.name}, ${b.name}.transpose(-1, -2))`,
            run: () => t['matmul']!(a.tensor, t['transpose']!(b.tensor, -1, -2)),
          }
        : { python: `torch.matmul(${a.name}, ${b.name})`, run: () => t['matmul']!(a.tensor, b.tensor) }
    },
    ...['add', 'sub', 'mul', 'div', 'add', 'sub', 'mul', 'eq', 'ne', 'lt', 'ge'].map(
      (name) => () => pairwise(name),
    ),
    () => {
      const [a, b] = [any(), any()]
      return { python: `torch.maximum(${a.name}, ${b.name})`, run: () => t['maximum']!(a.tensor, b.tensor) }
    },
    ...[
      'neg',
      'abs',
      'relu',
      'exp',
      'sigmoid',
      'tanh',
      'floor',
      'round',
      'sqrt',
      'sin',
      'cos',
      'logical_not',
      'sign',
    ].map((name) => () => alone(name)),
    ...['sum', 'sum', 'mean', 'amax', 'amin', 'any', 'all'].map((name) => () => reduction(name)),
    () => {
      const a = any()
      return method(a, 'narrow', dim(a), rng.int(0, 2), rng.int(0, 2))
    },
    () => {
      const a = any()
      return method(a, 'select', dim(a), rng.int(-2, 2))
    },
    () => {
      const a = any()
      const [from, to, step] = [rng.int(-2, 1), rng.int(1, 4), pick([1, 1, 2])]
      const expression = `${a.name}[..., ${from}:${to}:${step}]`
      return {
        python: expression,
        run: () => callByName(a.tensor, 'index', '...', [from, to, step]),
      }
    },
    () => {
      const a = any()
      return { python: `${a.name}[0]`, run: () => Reflect.get(a.tensor, 0) as unknown }
    },
    () => {
      const a = any()
      return method(a, 'expand', ...[2, ...a.tensor.shape].map((size) => (size === 1 ? 3 : size)))
    },
    () => {
      const a = any()
      return method(a, 'cumsum', dim(a))
    },
    () => {
      const a = any()
      const along = dim(a)
      return {
        python: `torch.softmax(${a.name}, dim=${along})`,
        run: () => t['softmax']!(a.tensor, { dim: along }),
      }
    },
    () => {
      const a = any()
      return method(a, 'clamp', -1, 1)
    },
    () => {
      const a = any()
      return method(a, 'flip', [dim(a)])
    },
    () => {
      const a = any()
      const [condition, b] = [like(a), like(a)]
      return {
        python: `torch.where(${condition.name} > 0, ${a.name}, ${b.name})`,
        run: () => t['where']!(t['gt']!(condition.tensor, 0), a.tensor, b.tensor),
      }
    },
    () => method(any(), pick(['float', 'double', 'long', 'int', 'bool', 'clone', 't', 'numel', 'dim'])),
  ]
  const steps: Step[] = []
  for (let number = 0; number < length; number++) {
    const { python, run } = pick(templates)()
    const step: Step = { name: `r${number}`, python }
    try {
      step.value = run()
      const tensors = Array.isArray(step.value) ? (step.value as unknown[]) : [step.value]
      tensors.forEach((one, at) => {
        if (one instanceof Tensor && product(one.node.shape) <= 512)
          namedTensors.push({
            name: Array.isArray(step.value) ? `r${number}[${at}]` : `r${number}`,
            tensor: one,
          })
      })
    } catch (error) {
      step.error = [(error as Error).name, (error as Error).message]
    }
    steps.push(step)
  }
  return { inputs, steps }
}
