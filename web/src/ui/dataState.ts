/** Shown to people who may not see something. */
export const DENIED = 'Unauthorized'
export const WHOM_TO_ASK =
  'You do not have permission to access this page. An administrator can change that (Settings, Users).'

/** Why loading something failed, and how to try again. */
export interface Failure {
  readonly message: string
  readonly onRetry: () => void
  readonly isRetrying: boolean
}

/** The state of a screen's data, whether it comes from a query or a live topic. `DataStates` shows it. */
export interface DataState<Data> {
  /** What the data is, for use in sentences: `agents`. */
  readonly what: string
  /** Undefined before the first answer. */
  readonly data: Data | undefined
  /** Set if there is nothing to show and no point in trying again: `DENIED`, or what the backend does not have. */
  readonly refusal: string | null
  /** Why the person may not see it, in the backend's words, if it gives any. */
  readonly reason?: string | undefined
  /** With data, what is shown may be old; without, there is nothing to show. */
  readonly failure: Failure | null
  /** What is shown answers an earlier request, or nothing confirms it now. It stays, without color. */
  readonly isOld: boolean
}

/** The state of data that is available already. */
export function toReadyState<Data>(what: string, data: Data): DataState<Data> {
  return { what, data, refusal: null, failure: null, isOld: false }
}
