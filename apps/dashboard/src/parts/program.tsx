/**
 * The instruction with its phrases, and the program that they describe: a selected step is highlighted in
 * both.
 */
import { Link } from '@tanstack/react-router'
import type { ReferenceAnswer } from '@stateeval/contracts'
import { useMemo } from 'react'
import { splitPhrases, type ValueFlow, listFlows, type ShownStep, listShownSteps } from '../pure/program.ts'

/** Chooses the step, or none where it is the chosen one. */
const StepLink = ({ place, step, text }: { place: string; step: string | undefined; text: string }) => (
  <Link
    to="."
    search={({ step: _, ...before }: Record<string, unknown>) => ({
      ...before,
      ...(place !== step && { step: place }),
    })}
    replace
    resetScroll={false}
    className="step"
    aria-current={place === step ? 'step' : undefined}
  >
    {text}
  </Link>
)

interface ProgramProps {
  reference: ReferenceAnswer
  /** The chosen step. */
  step: string | undefined
}
export function Instruction({ reference: { instruction, phrases = [] }, step }: ProgramProps) {
  const parts = useMemo(() => splitPhrases(instruction, phrases), [instruction, phrases])
  return (
    <p className="instruction">
      {parts.map(({ text, place }, n) =>
        place === undefined ? text : <StepLink key={n} place={place} step={step} text={text} />,
      )}
    </p>
  )
}

const [rowHeight, laneWidth, edge] = [34, 9, 8]

/** Steps in rows, with a line from each output to its use. */
export function DataFlow({ reference: { program, phrases = [] }, step }: ProgramProps) {
  const shown = useMemo(() => {
    if (!program) return null
    const steps = listShownSteps(program)
    return { steps, flows: listFlows(steps) }
  }, [program])
  if (!shown) return null
  const { steps, flows } = shown
  const at = steps.findIndex(({ place }) => place === step)
  const width = edge + (1 + Math.max(0, ...flows.map(({ lane }) => lane + 1))) * laneWidth
  return (
    <section aria-labelledby="program">
      <h2 id="program">Program</h2>
      <p>
        A line leads from each output to where it is taken.
        {phrases.length > 0 && ' Select a step to see its words, or words to see their step.'}
      </p>
      <div className="flow scrolls" tabIndex={0} role="region" aria-label="Steps of the program">
        <svg width={width} height={steps.length * rowHeight} aria-hidden="true">
          {flows.map((flow, n) => (
            <path
              key={n}
              className={flow.from === at || flow.to === at ? 'chosen' : ''}
              d={drawFlowLine(flow, width)}
            />
          ))}
          {steps.map(({ place, makes }, n) => (
            <circle
              key={place}
              className={n === at ? 'chosen' : ''}
              cx={width - edge}
              cy={(n + 0.5) * rowHeight}
              r={makes === undefined ? 2 : 4}
            />
          ))}
        </svg>
        <ol>
          {steps.map((one, row) => (
            <li key={one.place} style={{ height: rowHeight, paddingLeft: `${one.depth * 1.2}rem` }}>
              <StepLink place={one.place} step={step} text={one.text} />
              {one.makes !== undefined && <small> → {one.makes}</small>}
              <small className="takes">{describeFlow(row, steps, flows)}</small>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function drawFlowLine({ from, to, lane }: ValueFlow, width: number): string {
  const [start, end] = [width - edge, width - edge - (lane + 1) * laneWidth]
  const [top, bottom] = [(from + 0.5) * rowHeight + 3, (to + 0.5) * rowHeight - 3]
  return `M${start} ${top}C${end} ${top} ${end} ${top} ${end} ${top + 8}V${bottom - 8}C${end} ${bottom} ${end} ${bottom} ${start - 2} ${bottom}`
}

/** Describes a line, for those who see none. */
const describeFlow = (row: number, steps: readonly ShownStep[], flows: readonly ValueFlow[]): string =>
  flows
    .filter(({ to }) => to === row)
    .map(({ from, what, as }) => `${as}: ${what} of step ${from + 1} (${steps[from]!.text.split('(')[0]})`)
    .join('; ')
