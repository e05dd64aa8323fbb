import { leave } from '../api/leave.ts'
import { ignoreSessionEnd } from '../api/sessionEnded.ts'
import { clearAllDrafts } from '../preferences/drafts.ts'
import { forgetRecentPlaces } from '../preferences/recentPlaces.ts'

/**
 * Ends the session and goes to the sign-in page, which leads back here. Ends there even if the service cannot be
 * reached, and says so there: whoever signs out must not stay on the screen. A full page load, so that nothing of the
 * session stays in memory.
 *
 * @param isHosted whether the session is a provider's, who then ends its own as well
 */
export async function signOut(isHosted: boolean): Promise<void> {
  const here = `${window.location.pathname}${window.location.search}`
  // The socket may say that the session has ended before the answer does, and the way to the sign-in would end at the provider,
  // who signs the same person in again.
  ignoreSessionEnd()
  clearAllDrafts()
  forgetRecentPlaces()
  const [left] = await Promise.allSettled([leave(isHosted, here), deleteStoredDocuments()])
  const failure = new URLSearchParams({
    error_code: isHosted ? 'HOSTED_SIGN_OUT_FAILED' : 'SIGN_OUT_FAILED',
    return_to: here,
  })
  window.location.assign(left.status === 'fulfilled' ? left.value : `/login?${failure.toString()}`)
}

/** Loaded only now: who never opened an incident has nothing stored. */
async function deleteStoredDocuments(): Promise<void> {
  const { deleteDocuments } = await import('../collab/indexedDbStorage.ts')
  await deleteDocuments()
}
