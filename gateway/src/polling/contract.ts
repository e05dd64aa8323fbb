import type { SourceProblem, TopicName, TOPICS } from '@watchroom/shared/protocol'
import type { z } from 'zod'

interface ReadFacts {
  /** Wall clock at which the rows were true: the moment the read began. Milliseconds. */
  readonly asOf: number
  /** Rows that the schema refused. They are left out, the rest lives. */
  readonly droppedRows: number
  /** Where the next read may start. */
  readonly cursor?: string
  /** The backend itself waits for news: it may be asked again at once. */
  readonly mayReadOn?: boolean
}

/** Everything there is, or what changed since the cursor. */
export type SourceRead<Row> =
  | (ReadFacts & { readonly kind: 'all'; readonly rows: readonly Row[] })
  | (ReadFacts & { readonly kind: 'changes'; readonly rows: readonly Row[]; readonly removed: readonly string[] })

/** One thing in the backend that is read again and again. */
export interface Source<Row> {
  readonly name: string
  /** Time between two reads while someone watches, in milliseconds. */
  readonly intervalMs: number
  /**
   * @param cursor from an earlier read; the source may answer with all rows all the same
   * @throws CodedError of `pollingErrors`
   */
  readonly read: (signal: AbortSignal, cursor?: string) => Promise<SourceRead<Row>>
}

export interface FeedListener<Row> {
  readonly onRead: (read: SourceRead<Row>) => void
  /** Null: the source is well again. */
  readonly onProblem: (problem: SourceProblem | null) => void
}

/** Someone who looks at rows, as their session says. */
export interface Watcher {
  readonly userId: string
  readonly name: string
}

/** What stands behind a live topic: rows that come by themselves. */
export interface Feed<Row> {
  /** Data younger than this is normal, in milliseconds. */
  readonly freshForMs: number
  readonly problem: () => SourceProblem | null
  readonly listen: (listener: FeedListener<Row>) => () => void
  /**
   * Counts someone who looks at the rows. Returns a function that stops counting.
   *
   * @param who absent for a screen without an account, and for the gateway itself
   */
  readonly watch: (who?: Watcher) => () => void
  /** The rows probably changed: read now rather than later. */
  readonly wake: () => void
  readonly close: () => void
}

/** The feed behind each topic, by its parameters. The owner of the feeds closes them. */
export type Feeds = {
  readonly [Name in TopicName]: (
    params: z.infer<(typeof TOPICS)[Name]['params']>,
  ) => Feed<z.infer<(typeof TOPICS)[Name]['row']>>
}

/** Those that are read from the backend; other capabilities make the rest. */
export type PolledFeeds = Omit<Feeds, 'definitionOfDone' | 'presence' | 'wall'>
