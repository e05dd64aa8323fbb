/** Said to whoever may not see something. */
export const DENIED = 'Unauthorized'
export const WHOM_TO_ASK =
  'You do not have permission to access this page. An administrator can change that (Settings, Users).'

/** What went wrong when something was loaded, and the way to try again. */
export interface Failure {
  readonly message: string
  readonly onRetry: () => void
  readonly isRetrying: boolean
}

/** Where the data of a screen stands, whether a query or a live topic brings it. One of five looks follows from it. */
export interface DataState<Data> {
  /** What is loaded, for sentences: `agents`. */
  readonly what: string
  /** Undefined before the first answer. */
  readonly data: Data | undefined
  /** There is nothing to show and nothing to try again: the person may not see it (`DENIED`), or what the backend does not have. */
  readonly refusal: string | null
  /** Of what may not be seen, why: in the words of the backend, where it has some. */
  readonly reason?: string | undefined
  /** With data: what is shown may be old. Without: there is nothing to show. */
  readonly failure: Failure | null
  /** What is shown answers an earlier question, or nothing confirms it now. It stays, without its color. */
  readonly isOld: boolean
}

/** Data that is at hand already. */
export function toReadyState<Data>(what: string, data: Data): DataState<Data> {
  return { what, data, refusal: null, failure: null, isOld: false }
}
