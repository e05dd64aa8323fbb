import { leave } from '../api/leave.ts'
import { ignoreSessionEnd } from '../api/sessionEnded.ts'
import { clearAllDrafts } from '../preferences/drafts.ts'
import { forgetRecentPlaces } from '../preferences/recentPlaces.ts'

/**
 * Ends the session and goes to the sign-in page, which leads back here. Goes there even if the service cannot be reached, and
 * says so there: whoever signs out must not stay on the screen. Does a full page load, so that nothing stays in memory.
 *
 * @param isHosted whether people signed in with a provider, which then ends its own session as well
 */
export async function signOut(isHosted: boolean): Promise<void> {
  const here = `${window.location.pathname}${window.location.search}`
  // The socket may report the end of the session before the answer arrives. That would lead to the sign-in, and from there to the
  // provider, which would sign the same person in again.
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

/** Loaded only now: without ever opening an incident, nothing is stored. */
async function deleteStoredDocuments(): Promise<void> {
  const { deleteDocuments } = await import('../collab/indexedDbStorage.ts')
  await deleteDocuments()
}
