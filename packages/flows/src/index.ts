/** The items of evaluations and builds, as pure state machines that state their needs. */
export { bound, type Compared, type Flow, type ItemAnswer, type ItemNeed } from './flow.ts'
export type { BuildAgents, Endpoint } from './endpoint.ts'
export { type GenerationOutcome, generationFlow } from './generation-flow.ts'
export {
  costOf,
  type ProgramContext,
  programFlow,
  type ProgramOutcome,
  type ProgramState,
} from './program-flow.ts'
export { type WritingContext, writingFlow, type WritingOutcome, type WritingState } from './writing-flow.ts'
export { type OpinionContext, opinionFlow, type OpinionOutcome, type OpinionState } from './opinion-flow.ts'
export {
  addCounts,
  type GivenReply,
  type Responder,
  type SampleContext,
  type SampleOutcome,
  type SampleState,
  type Step,
} from './sample.ts'
export { type AnswerEndings, frequentEndings } from './endings.ts'
export { sampleFlow, sessionOf } from './sample-flow.ts'
export { effortOfReplay, type SampleRecord } from './record.ts'
export {
  dialogueOf,
  emptyLog,
  entriesOf,
  type Entry,
  type EntryStore,
  type Log,
  settled,
  versionOf,
} from './dialogue.ts'
export { beginningOf, entryOf } from './play.ts'
export { similarQuestions } from './needs.ts'
