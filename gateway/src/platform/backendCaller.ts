import type { BackendClient, BackendRequest } from './httpClient.ts'

/** Makes the gateway's own credential act as a role; only the embedded backend knows it. */
export const ACTS_AS_HEADER = 'x-watchroom-role'

/** Who is on the page of a run together with whoever confirms a step of one, as JSON: people by run. Only the gateway may say so. */
export const PRESENT_HEADER = 'x-watchroom-present'

/** How backends answer a malformed access token, with status 400 (backend reference 2.3). Newer ones append more text. */
export const NO_ACCESS_TOKEN = 'invalid access token'

/** Any other 400 has nothing to do with the credential: a proxy, for example, answers so to headers that are too long. */
export const isNoAccessToken = (status: number, text: string): boolean =>
  status === 400 && text.startsWith(NO_ACCESS_TOKEN)

/** Whether a backend does not take the credential that it was shown. */
export const isCredentialRefused = (status: number, text: string): boolean =>
  status === 401 || status === 403 || isNoAccessToken(status, text)

/** How the backend is asked as someone. */
export interface BackendCaller {
  /** Names the credential in memory without holding it. */
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly credential: NonNullable<BackendRequest['credential']>
}

/** The backend as this caller sees it: every request carries their credential instead of the gateway's. */
export function asCaller(backend: BackendClient, { headers, credential }: BackendCaller): BackendClient {
  return {
    ...backend,
    request: (request) => backend.request({ ...request, headers: { ...request.headers, ...headers }, credential }),
  }
}
