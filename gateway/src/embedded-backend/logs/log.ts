// What holds lines, as searches see it. A log knows nothing of components, of who asks, or of other logs.
import type { LogLine } from '@watchroom/shared/logs'

export interface FoundLine {
  /** Its id is unique within its log. */
  readonly line: LogLine
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A line, and where it stands. */
export interface PlacedLine extends FoundLine {
  /** Names the point between this line and the older one: a search goes on from there. */
  readonly place: string
}

export interface LogSearch {
  /** Milliseconds since the epoch, both inclusive. */
  readonly start: number
  readonly end: number
  /** A line has all of them. In lower case. */
  readonly words: readonly string[]
  /** A line has all of them. */
  readonly labels: Readonly<Record<string, string>>
  /** What this search may read, of all logs together. */
  readonly budget: Budget
}

export interface Budget {
  /** Counted down by whoever reads. */
  bytes: number
  /** Moment of the clock's monotonic time. */
  readonly endsAt: number
}

export interface Stretch {
  /** Newest first. */
  readonly lines: readonly PlacedLine[]
  /** Where the search goes on when all of these lines were taken; null: there is no older line in the range. */
  readonly next: string | null
  readonly total?: number
}

/** What came since a place. */
export interface News {
  /** Oldest first. */
  readonly lines: readonly PlacedLine[]
  /** Where the next question begins. */
  readonly place: string
  /** Lines that are not among them, because there were too many. */
  readonly dropped: number
}

export interface Log {
  /** Names it in ids and cursors: letters, digits and dashes. Another one when what it held is gone. */
  readonly key: string
  /** No line is newer, in milliseconds since the epoch. */
  readonly newestAt: number
  /** What is older than a place; the newest lines of the range without one. */
  before(place: string | null, search: LogSearch, limit: number): Promise<Stretch>
  /** The line with this id; null when it is gone. */
  find(id: string): Promise<PlacedLine | null>
  /**
   * Lines after this one, or from this moment on. Oldest first. Where lines of one moment have no order, those of the line's own are
   * older, and the last moment is whole, beyond the limit.
   */
  after(from: { readonly id: string } | { readonly at: number }, limit: number): Promise<readonly FoundLine[]>
  /** Absent where nothing tells of new lines. */
  readonly follow?: {
    /** The end of what there is now. */
    end(): Promise<string>
    /** @param place null: it was not there before */
    news(place: string | null, search: LogSearch, limit: number): Promise<News>
  }
  close(): Promise<void>
}
