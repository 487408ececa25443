/** The items of evaluations and builds, as pure state machines that state their needs. */
export { bindFlow, type ComparisonResult, type SuiteFlow, type ItemAnswer, type ItemNeed } from './flow.ts'
export type { BuildAgents, EndpointModel } from './endpoint.ts'
export { type GenerationOutcome, generationFlow } from './generation-flow.ts'
export {
  sumCosts,
  type ProgramFlowContext,
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
  type SampleStep,
} from './sample.ts'
export { type AnswerEndings, listFrequentEndings } from './endings.ts'
export { sampleFlow, formatItemSession } from './sample-flow.ts'
export { selectReplayEffort, type SampleRecord } from './record.ts'
export {
  buildDialogue,
  emptyLog,
  loadEntries,
  type EpisodeEntry,
  type EntryStore,
  type EntryLog,
  settleLog,
  readStateVersion,
} from './dialogue.ts'
export { beginEpisode, buildReplyEntry } from './play.ts'
export { buildSimilarityQuestions } from './needs.ts'
