import type { PresencePage, PresentTab } from '@watchroom/shared/protocol'

import type { Feed } from '../polling/contract.ts'

/** A page of one row. */
export interface PresencePlace {
  readonly page: PresencePage
  readonly id: string
}

/** Who has which page open at this gateway. */
export interface PagePresence {
  /** Rows of the topic. Whoever watches them is present, and so one of them. */
  readonly feed: (place: PresencePlace) => Feed<PresentTab>
  /** The pages of this kind where a person is, the latest entered first, each with everyone there. */
  readonly companyOf: (
    page: PresencePage,
    userId: string,
  ) => readonly (readonly [id: string, people: readonly string[]])[]
  readonly close: () => void
}
