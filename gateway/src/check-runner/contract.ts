// What the checks engine and the runners of check types say to each other. A runner returns data: it never writes rows.
import type { Socket } from 'node:net'

import type {
  AnyCheckSpec,
  CheckSpec,
  RunnableType,
  SelfProbeName,
  ValueReference,
} from '@watchroom/shared/health/check-types'
import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import type { Executor } from '../executor/contract.ts'
import type { SocketTarget } from '../platform/openSocket.ts'
import type { FolderRules } from './folderRules.ts'
import type { LookUp } from './lookApart.ts'

/** A regular file directly in a folder. */
export interface FileFacts {
  readonly name: string
  readonly sizeBytes: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

/** Names the files of a folder elsewhere, a portion at a time. */
export type ListFolder = (path: string, signal: AbortSignal) => AsyncIterable<readonly FileFacts[]>

/** The way out of who runs checks and steps. */
export interface WayOut {
  /** A connected socket, with TLS after the handshake. Rejects for targets that are not allowed. */
  readonly open: (target: SocketTarget) => Promise<Socket>
}

/** What one check run found; becomes a row of `check_statuses`. No text in it holds a password of the spec. */
export interface CheckOutcome {
  passed: boolean
  /** The check itself is wrong (definition, missing tool, our own bug), so it says nothing about its target. */
  invalid?: boolean
  /** Milliseconds, with fractions. What is measured is the target's answer, not our own preparations. */
  durationMs: number
  /** What was seen, in one line: `200 OK`. */
  message?: string
  /** Why it did not pass; absent when it passed. */
  error?: string
  /** Numbers and texts for the detail panel, JSON only. */
  details?: Record<string, unknown>
}

/** Measures one thing about the product itself. Obeys `signal` like a runner. */
export type SelfProbe = (signal: AbortSignal) => Promise<CheckOutcome>
export type SelfProbes = Record<SelfProbeName, SelfProbe>

export interface RunDeps {
  /** Aborted at the check's deadline or when the engine stops. */
  signal: AbortSignal
  clock: Clock
  logger: Logger
  /** Evaluates expressions; when absent, a process of its own does. */
  lookUp?: LookUp
  /** Texts that were filled into the definition for this run, and must appear in no outcome. */
  secrets?: readonly string[]
  wayOut: WayOut
  /** Runs the scripts of `exec` checks. Absent where they may not run at all. */
  executor?: Pick<Executor, 'confinement' | 'run'>
  /** Where `folder` checks may look. Absent where they may not look at all. */
  folders?: FolderRules
  /** The folder of a `folder` check that names a connection. */
  listFolder?: ListFolder | undefined
  /** Probes for `self` checks. Absent where the product is not at hand, for example in an agent. */
  selfProbes?: SelfProbes
}

/** What expressions of a check may look at, with the type that they are checked against. Never stored. */
export type Variables = Readonly<Record<string, { readonly type: string; readonly value: unknown }>>

export interface RunnerOutcome extends CheckOutcome {
  /** Called when the check has an expression. Absent when nothing came back that could be looked at. */
  variables?: () => Variables
}

/**
 * Executes checks of one type.
 *
 * Keep in `run`: stop soon after `signal` is aborted, leave nothing behind (sockets, processes, files), and describe an
 * expected failure as an outcome. A thrown error is a bug: `runCheck` logs it and reports an invalid outcome.
 */
export interface CheckRunner<Spec> {
  run(spec: Spec, deps: RunDeps): Promise<RunnerOutcome>
}

/** A definition without references to values elsewhere: `findObstacles` keeps the others from a runner. */
export type Resolved<Value> = Value extends ValueReference
  ? never
  : Value extends readonly (infer Item)[]
    ? Resolved<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Resolved<Value[Key]> }
      : Value

/** What the runner of a type is given. */
export type RunnerSpec<Type extends RunnableType> = Resolved<CheckSpec<Type>>

/** One runner per check type; forgetting one does not compile. */
export type CheckRunnerTable = { [Type in RunnableType]: CheckRunner<RunnerSpec<Type>> }

/** What `runCheck` needs of a check: a row of `checks` read by `tryParseCheckSpec`, or an expanded one. */
export type RunnableCheck = AnyCheckSpec & {
  /** For logs. */
  id?: string
  name: string
  /** Deadline of one run in milliseconds. */
  timeoutMs: number
  /** Why the deadline is shorter than the check asks for, other than its interval. */
  shortened?: string
}
