// Builds a small benchmark, evaluates the built-in model reference, and prints its pass rate.
//
//   STATEEVAL_URL=http://127.0.0.1:7400 node examples/evaluate.mjs
import { connect } from 'stateeval'

const suite = connect({
  url: process.env.STATEEVAL_URL ?? 'http://127.0.0.1:7400',
  key: process.env.STATEEVAL_API_KEY,
})
const progress = ({ done, total, phase }) => console.error(`${done}/${total} ${phase}`)

const benchmark = await suite.build({ scenario: 'session-service', programs: 6, keep: 3 }, { progress })
const evaluation = await suite.evaluate({ benchmark: benchmark.id, model: 'reference' }, { progress })
const { result } = await suite.report(evaluation.id)
console.log(`${result.model}: ${result.overall.passed} of ${result.overall.scored} passed`)
