import { endSession } from '../api/identity.ts'
import { endHostedSession } from '../api/organizations.ts'
import { ignoreSessionEnd } from '../api/sessionEnded.ts'
import { clearAllDrafts } from '../preferences/drafts.ts'
import { forgetRecentPlaces } from '../preferences/recentPlaces.ts'

/**
 * Ends the session and goes to the sign-in page, which leads back here. Ends there even if the service cannot be
 * reached: whoever signs out must not stay on the screen. A full page load, so that nothing of the session stays in memory.
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
  let next = `/login?${new URLSearchParams({ return_to: here }).toString()}`
  const end = async (): Promise<void> => {
    if (isHosted) next = await endHostedSession(here)
    else await endSession()
  }
  try {
    await Promise.all([end(), deleteStoredDocuments()])
  } finally {
    window.location.assign(next)
  }
}

/** Loaded only now: who never opened an incident has nothing stored. */
async function deleteStoredDocuments(): Promise<void> {
  const { deleteDocuments } = await import('../collab/indexedDbStorage.ts')
  await deleteDocuments()
}
