/** Names of the streams, subjects and consumers of a namespace. */
import {
  defaultProject,
  type JobSubject,
  type QuestionSubject,
  type RollCallSubject,
  sha256,
  streams,
} from '@stateeval/contracts'
import { currentProject, inProjectName } from '../access/project.ts'

/** A NATS token made from any id of the current project: short, and free of dots and wildcards. */
const token = (id: string) => sha256(inProjectName(id)).slice(0, 32)

/** Ids stand in event subjects as they are, so that people can subscribe to them. */
const readableToken = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, '_')
/** The same, or all: '*'. */
const eventToken = (text: string) => (text === '*' ? text : readableToken(text))
/**
 * A project's subjects have a token more than those of the default project, which are named as before there
 * were projects.
 */
const projectToken = () => (currentProject() === defaultProject ? '' : `${currentProject()}.`)

export const names = (namespace: string) => ({
  jobs: `${namespace}-${streams.jobs}`,
  events: `${namespace}-${streams.events}`,
  dead: `${namespace}-${streams.dead}`,
  /**
   * Each job has a subject of its own below its kind's: the stream holds one message a subject, so a job is
   * queued once at most.
   */
  job: (subject: JobSubject, id: string) => `${namespace}.${subject}.${token(id)}`,
  kind: (subject: JobSubject) => `${namespace}.${subject}.*`,
  /** A message that shows whether the queue of a kind works; one at most is queued. */
  probe: (subject: JobSubject) => `${namespace}.${subject}.probe`,
  question: (subject: QuestionSubject | RollCallSubject) => `${namespace}.${subject}`,
  /** The inbox where one process hears of jobs that it waits for. */
  inbox: (inbox: string) => `${namespace}.replies.${inbox}`,
  event: (entity: string, id: string, what: string) =>
    `${namespace}.events.${projectToken()}${readableToken(entity)}.${eventToken(id)}.${eventToken(what)}`,
  /** All events of the current project: they have a token more than those of the default one. */
  eventsOfProject: () => `${namespace}.events.${currentProject()}.*.*.*`,
  deadLetter: (subject: JobSubject, id: string) =>
    `${namespace}.dead.${projectToken()}${subject.slice('jobs.'.length)}.${token(id)}`,
  /** Dead letters of the current project, of one kind of job or of all. */
  deadKind: (subject?: JobSubject) =>
    `${namespace}.dead.${projectToken()}${subject ? subject.slice('jobs.'.length) : '*.*'}.*`,
  /** The durable consumer of a kind of job; autoscalers read its lag by this name. */
  consumer: (subject: JobSubject) => subject.slice('jobs.'.length).replace('.', '-'),
})
export type BusNames = ReturnType<typeof names>
