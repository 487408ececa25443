/** Names of the streams, subjects and consumers of a namespace. */
import {
  defaultProject,
  type JobSubject,
  type QuestionSubject,
  type RollCallSubject,
  sha256,
  streams,
} from '@stateeval/contracts'
import { getCurrentProject, qualifyName } from '../access/project.ts'

/** A NATS token made from any id of the current project: short, and free of dots and wildcards. */
const formatToken = (id: string) => sha256(qualifyName(id)).slice(0, 32)

/** Ids stand in event subjects as they are, so that people can subscribe to them. */
const formatReadableToken = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, '_')
/** The same, or all: '*'. */
const formatEventToken = (text: string) => (text === '*' ? text : formatReadableToken(text))
/**
 * A project's subjects have a token more than those of the default project, which are named as before there
 * were projects.
 */
const formatProjectToken = () => (getCurrentProject() === defaultProject ? '' : `${getCurrentProject()}.`)

export const buildBusNames = (namespace: string) => ({
  jobs: `${namespace}-${streams.jobs}`,
  events: `${namespace}-${streams.events}`,
  dead: `${namespace}-${streams.dead}`,
  /**
   * Each job has its own subject below its kind's: the stream holds one message a subject, so a job is queued
   * once at most.
   */
  job: (subject: JobSubject, id: string) => `${namespace}.${subject}.${formatToken(id)}`,
  kind: (subject: JobSubject) => `${namespace}.${subject}.*`,
  /** A message that shows whether the queue of a kind works; one at most is queued. */
  probe: (subject: JobSubject) => `${namespace}.${subject}.probe`,
  question: (subject: QuestionSubject | RollCallSubject) => `${namespace}.${subject}`,
  /** The subject on which one process hears of jobs that it waits for. */
  inbox: (inbox: string) => `${namespace}.replies.${inbox}`,
  event: (entity: string, id: string, what: string) =>
    `${namespace}.events.${formatProjectToken()}${formatReadableToken(entity)}.${formatEventToken(id)}.${formatEventToken(what)}`,
  /** All events of the current project: they have a token more than those of the default one. */
  eventsOfProject: () => `${namespace}.events.${getCurrentProject()}.*.*.*`,
  deadLetter: (subject: JobSubject, id: string) =>
    `${namespace}.dead.${formatProjectToken()}${subject.slice('jobs.'.length)}.${formatToken(id)}`,
  /** Dead letters of the current project, of one kind of job or of all. */
  deadKind: (subject?: JobSubject) =>
    `${namespace}.dead.${formatProjectToken()}${subject ? subject.slice('jobs.'.length) : '*.*'}.*`,
  /** The durable consumer of a kind of job; autoscalers read its lag by this name. */
  consumer: (subject: JobSubject) => subject.slice('jobs.'.length).replace('.', '-'),
})
export type BusNames = ReturnType<typeof buildBusNames>
