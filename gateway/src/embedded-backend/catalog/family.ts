// What a family of scrapers is: one file of `families` each. It reads a source and knows nothing of rules, rows and schedules.
import type { Clock } from '@watchroom/shared/kernel'
import type { ItemRules, ScraperFamily } from '@watchroom/shared/specs'

import type { RawItem, SourceWarning } from './item.ts'

export interface ReadBatch {
  /** Some hundred at most: they are dealt with before the next batch is asked for. */
  readonly items: readonly RawItem[]
  readonly warnings: readonly SourceWarning[]
}

export interface ReadContext {
  readonly scraper: { readonly id: string; readonly name: string }
  readonly clock: Clock
  /** Aborted at the deadline of the run and at the end of the program. */
  readonly signal: AbortSignal
}

export interface Family<Element extends ItemRules = ItemRules> {
  readonly name: ScraperFamily
  /**
   * Reads the whole source, in batches. What ends without an error was complete, but for what warnings with `hidesItems` tell.
   *
   * @param element of the spec, parsed, with its secrets in place
   * @throws SourceFault when the source cannot be read: the run has failed, and nothing is deleted
   */
  read(element: Element, context: ReadContext): AsyncIterable<ReadBatch>
  /**
   * Calls when what `read` would find may have changed; several calls at once are one.
   *
   * @returns what ends it, or null where the source does not tell
   */
  watch?(element: Element, onChange: () => void): { close(): void } | null
  /** Why an element must not be saved, beginning with its key (`paths.0: …`); null when it may. Its expressions were asked already. */
  judge?(element: Element): Promise<string | null>
}

/** A source cannot be read; the words are for whoever wrote the spec, and hold no secret. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
}
