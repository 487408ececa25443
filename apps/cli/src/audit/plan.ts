/** Which attempts are made on which answers, and in which evaluations they are scored. */
import {
  type AnswerContent,
  type AnswerForm,
  type CheatingAttempt,
  spoilAnswer,
} from '@stateeval/attacks/attempts'
import { GivenAnswer, type ScoredSample, findSchemaFault } from '@stateeval/contracts'

/** A case with its reference answer. */
export interface HonestCase {
  id: string
  form: AnswerForm
  scenario?: string
  answer: AnswerContent
}

/** An answer whose score is known: the reference’s, or the same made wrong. */
interface HonestAnswer extends HonestCase {
  /** Its sample in the honest evaluations: 0 is the reference’s, the others were made wrong. */
  sample: number
  passes: boolean
}

/** One attempt on one honest answer. */
export interface AuditTrial {
  attempt: CheatingAttempt
  honest: HonestAnswer
  given: GivenAnswer
}

/** An evaluation takes up to so many samples of a case, and so many characters of answers. */
const maxSamples = 1000
const maxCharacters = 16_000_000

const listVariants = ({ answer, form }: HonestCase): AnswerContent[] => [answer, ...spoilAnswer(answer, form)]
export const honestSamples = 3

/** The reference’s answer as sample 0, and the same made wrong as the others. */
export const listHonestAnswers = (cases: readonly HonestCase[]): GivenAnswer[] =>
  cases.flatMap((one) =>
    listVariants(one).map((content, sample): GivenAnswer => ({ case: one.id, sample, ...content })),
  )

/** The honest answers that were scored; one passes if it passed in any of the evaluations. */
export function selectScoredAnswers(
  cases: readonly HonestCase[],
  ...evaluations: readonly (readonly ScoredSample[])[]
): HonestAnswer[] {
  const passes = new Map<string, boolean>()
  for (const { case: id, sample, score } of evaluations.flat())
    if (score) passes.set(`${id}/${sample}`, (passes.get(`${id}/${sample}`) ?? false) || score.passed)
  return cases.flatMap((one) =>
    listVariants(one).flatMap((answer, sample): HonestAnswer[] => {
      const known = passes.get(`${one.id}/${sample}`)
      return known === undefined ? [] : [{ ...one, answer, sample, passes: known }]
    }),
  )
}

interface TrialPlan {
  /** Each becomes an evaluation; `given` has its samples. */
  rounds: AuditTrial[][]
  /** Attempts that could not be made, and why. */
  notTried: { name: string; why: string }[]
}

const isApplicable = ({ form, scenarios }: CheatingAttempt, honest: HonestAnswer) =>
  form === honest.form && (scenarios?.includes(honest.scenario ?? '') ?? true)

/**
 * Makes every attempt on `samples` answers, wrong and right ones in turn, each time on the answers that have
 * been used least. Attempts for other forms of answers are left out silently: they mean nothing here.
 */
export function planTrials(
  attempts: readonly CheatingAttempt[],
  known: readonly HonestAnswer[],
  samples: number,
): TrialPlan {
  const uses = new Map(known.map((one) => [one, 0]))
  const forms = new Set(known.map(({ form }) => form))
  const rounds: AuditTrial[][] = []
  const notTried: TrialPlan['notTried'] = []
  let room = { characters: 0, samples: new Map<string, number>() }

  /** The next free sample of the case, in a new evaluation if this one is full. */
  const place = ({ id }: HonestAnswer, content: AnswerContent): GivenAnswer => {
    const characters = JSON.stringify(content).length
    const isFull = (room.samples.get(id) ?? 0) >= maxSamples || room.characters + characters > maxCharacters
    if (rounds.length === 0 || isFull) {
      rounds.push([])
      room = { characters: 0, samples: new Map() }
    }
    const sample = room.samples.get(id) ?? 0
    room.samples.set(id, sample + 1)
    room.characters += characters
    return { case: id, sample, ...content }
  }

  for (const attempt of attempts) {
    if (!forms.has(attempt.form)) continue
    const eligible = known.filter((one) => isApplicable(attempt, one))
    if (eligible.length === 0) {
      notTried.push({
        name: attempt.name,
        why: `no case of the benchmark is in ${attempt.scenarios?.join(' or ')}`,
      })
      continue
    }
    for (let turn = 0; turn < samples; turn++) {
      const passes = turn % 2 === 1
      const [honest] = eligible.toSorted(
        (a, b) => Number(a.passes !== passes) - Number(b.passes !== passes) || uses.get(a)! - uses.get(b)!,
      )
      const content = attempt.turn(honest!.answer)
      const fault = findSchemaFault(GivenAnswer, { case: honest!.id, ...content })
      if (fault) {
        notTried.push({ name: attempt.name, why: `the API refuses the answer: ${fault.field} ${fault.says}` })
        break
      }
      uses.set(honest!, uses.get(honest!)! + 1)
      const given = place(honest!, content)
      rounds.at(-1)!.push({ attempt, honest: honest!, given })
    }
  }
  return { rounds, notTried }
}
