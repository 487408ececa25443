/**
 * Against the runtime of tensors: graphs that only hostile code makes, in JavaScript; PyTorch changed, in
 * Python.
 */
import {
  type AttackProgram,
  anyEnd,
  briefly,
  completes,
  expectFound,
  javascript,
  expectKill,
  little,
  noResult,
  python,
  throws,
  timeout,
} from '../attack.ts'
import { writeCalls } from './frames.ts'

const contained = [timeout, expectKill('memory'), throws, noResult]
const formatGraph = (nodes: unknown[], outputs: unknown[], keep: unknown[] = []) =>
  JSON.stringify({ nodes, outputs, keep })
const one = { op: 'leaf', dtype: 'float32', shape: [1], data: 'AACAPw==' }
const huge = { op: 'expand', in: [0], shape: [2 ** 20] }
const waits = 'await new Promise((go) => setTimeout(go, 100)); RESULT = 1'

export const tensors: readonly AttackProgram[] = [
  javascript(
    'one value asked for many thousand times',
    `${writeCalls('run', formatGraph([one, huge], Array<number>(20_000).fill(1)))}${waits}`,
    anyEnd,
  ),
  javascript(
    'a tensor that needs itself',
    'const c = a.add(b); c.node.inputs = [c.node, a.node]; RESULT = c',
    contained,
    briefly,
  ),
  javascript(
    'two that need each other',
    'const c = a.add(b), d = c.neg(); c.node.inputs = [d.node, d.node]; RESULT = [c, d]',
    contained,
    briefly,
  ),
  javascript('an unknown operation', 'const c = a.add(b); c.node.op = "rm"; RESULT = c.tolist()', throws),
  javascript(
    'operations of every object',
    'RESULT = ["__proto__", "constructor", "toString", "hasOwnProperty"].flatMap((op) => { const c = a.add(b); c.node.op = op; try { return [c.tolist()] } catch { return [] } })',
    expectFound([]),
  ),
  javascript(
    'huge shapes',
    'RESULT = [[2 ** 40, 2 ** 40], [2 ** 31], [-1], [1.5], [NaN], [1e308, 1e308], Array(1000).fill(1)].flatMap((shape) => { const c = a.add(b); c.node.op = "expand"; c.node.inputs = [a.node]; c.node.attributes = { shape }; try { return [c.tolist()] } catch { return [] } })',
    expectFound([]),
  ),
  javascript('a shape that was lied about', 'a.node.shape = [1000, 1000]; RESULT = a.add(1)', [
    throws,
    noResult,
  ]),
  javascript(
    'answers that are longer than they may be',
    'const wide = torch.zeros(1).expand(1048576); RESULT = Array.from({ length: 60 }, (_, n) => wide.add(n))',
    [throws, noResult, expectKill('memory')],
    little,
  ),
  javascript(
    'graphs at once',
    `${writeCalls('run', formatGraph([one, ...Array<typeof huge>(60).fill(huge)], [1]), 30)}${waits}`,
    anyEnd,
    {
      wallMs: 3000,
    },
  ),
  javascript(
    'a forged graph',
    `${writeCalls('run', formatGraph([{ op: 'neg', in: [0] }], [0]))}${writeCalls('run', formatGraph([one, { op: 'kept', id: 1 }], [1], [[0, 1]])).replace(/const (frame|fs|whole)/g, 'var $1_')}${waits}`,
    anyEnd,
  ),
  javascript('a graph that is none', `${writeCalls('run', '[[[]]]')}${waits}`, anyEnd),
  javascript('a function that isn’t there', `${writeCalls('constructor', '{}')}${waits}`, anyEnd),
  javascript(
    'a prototype in a graph',
    `${writeCalls('run', '{"__proto__":{"nodes":[]},"nodes":[],"outputs":[],"keep":[]}')}${waits}`,
    anyEnd,
  ),
  javascript(
    'a flood of graphs',
    'let x = a; for (;;) { x = x.add(1); x.sum().item() }',
    expectKill('requests'),
    { requests: 20 },
  ),
  javascript(
    'arguments without end',
    'const list = []; for (;;) { list.push(...Array(1e5).fill(1.5)); torch.tensor(list).sum().item() }',
    contained,
    little,
  ),
  javascript(
    'a tensor nested deeply',
    'let list = a; for (let n = 0; n < 1e5; n++) list = [list]; RESULT = list',
    [noResult, throws],
  ),
  javascript(
    'attributes that throw, that lie, and that are prototypes',
    `RESULT = [{ get shape() { throw 1 } }, { toJSON() { throw 2 } }, { toJSON() { return undefined } }, JSON.parse('{"__proto__":{"shape":[4]}}'), new Proxy({}, { ownKeys() { throw 3 } })].flatMap((attributes) => { const c = a.add(b); c.node.op = 'reshape'; c.node.attributes = attributes; try { return [c.tolist()] } catch { return [] } })`,
    expectFound([]),
  ),
  javascript(
    'toJSON that never ends',
    'const c = a.add(b); c.node.attributes = { toJSON() { for (;;); } }; RESULT = c',
    timeout,
    briefly,
  ),
  javascript(
    'values asked for wherever code runs',
    `const deep = (n) => (n ? deep(n - 1) : a.sum().item()); const seen = [deep(500), [3, 1].sort(() => b.sum().item())[0]]; queueMicrotask(() => seen.push(a.max().item())); await null; RESULT = { seen, get late() { return a.min().item() } }`,
    completes,
  ),
  javascript(
    'the module changed',
    'const F = torch.nn.functional; for (const module of [torch, F]) for (const name of Object.keys(module)) try { module[name] = () => 666 } catch {} const kind = Object.getPrototypeOf(a); for (const name of Object.getOwnPropertyNames(kind)) try { kind[name] = () => 666 } catch {} torch.leak = globalThis.leak = 1; RESULT = 1',
    anyEnd,
  ),
  javascript(
    'its constructor and its prototypes changed',
    'for (const type of [a.constructor, a.dtype.constructor, Object, Array]) { Object.defineProperty(type.prototype, "node", { get() { throw 1 }, configurable: true }); type.prototype.tolist = () => 666; Object.freeze(type.prototype) } Object.prototype.data = "AAAA"; RESULT = 1',
    anyEnd,
  ),
  javascript(
    'a call when all is over',
    'RESULT = 1; process.on("exit", () => { for (let n = 0; n < 5; n++) a.sum().item() })',
    anyEnd,
  ),
  javascript(
    'replies that are taken away',
    `const fs = require('fs'); const all = Buffer.alloc(1 << 16); setInterval(() => { try { fs.readSync(4, all) } catch {} }, 1); for (;;) { a.sum().item(); await null }`,
    anyEnd,
    briefly,
  ),
  javascript(
    'a channel that is closed',
    `require('fs').closeSync(4); RESULT = a.sum().item()`,
    anyEnd,
    briefly,
  ),

  python(
    'the module changed',
    'torch.Tensor.item = torch.Tensor.tolist = torch.matmul = torch.cat = lambda *a, **k: 666\ntorch.leak = 1\ntorch.set_default_dtype(torch.float64)\ntorch.manual_seed(7)\nRESULT = 1',
    anyEnd,
  ),
  python(
    'its threads and its types changed',
    'torch.set_num_threads(8)\ntorch.use_deterministic_algorithms(True)\ntorch.set_grad_enabled(False)\nRESULT = torch.rand(1000, 1000).sum().item()',
    anyEnd,
    { wallMs: 3000 },
  ),
  python(
    'a tensor without end',
    'x = torch.zeros(1 << 20)\nkept = []\nwhile True:\n    kept.append(x + len(kept))',
    [expectKill('memory'), throws],
    little,
  ),
  python(
    'a storage that isn’t its own',
    'import ctypes\nx = torch.zeros(4)\nctypes.memset(x.data_ptr(), 0xff, 1 << 24)\nRESULT = x',
    anyEnd,
  ),
  python(
    'a pickle that runs code',
    'import io, os\nclass P:\n    def __reduce__(self):\n        return (os.system, ("touch /tmp/left",))\nf = io.BytesIO()\ntorch.save(P(), f)\nf.seek(0)\ntorch.load(f)\nRESULT = 1',
    anyEnd,
  ),
  python(
    'a subclass that lies',
    'class T(torch.Tensor):\n    def data_ptr(self):\n        return 0\n    @property\n    def shape(self):\n        return [2 ** 40]\nRESULT = torch.zeros(4).as_subclass(T)',
    anyEnd,
  ),
]
