import type { CheckSummary } from '@watchroom/shared/health'

/** A check whose panel is open over a page: what the page hands to the panel, which is another feature's. */
export interface OpenCheck {
  readonly checkId: string
  /** Its row on the board; absent while the board loads, and when the check is not on it. */
  readonly check: CheckSummary | undefined
  readonly isBoardLoading: boolean
  /** The link is lost: what is shown is what was last heard. */
  readonly isOld: boolean
  readonly onClose: () => void
}
