import { endSession } from '../api/identity.ts'
import { clearAllDrafts } from '../preferences/drafts.ts'

/**
 * Ends the session and goes to the sign-in page, which leads back here. Ends there even if the service cannot be
 * reached: whoever signs out must not stay on the screen. A full page load, so that nothing of the session stays in memory.
 */
export async function signOut(): Promise<void> {
  const here = `${window.location.pathname}${window.location.search}`
  clearAllDrafts()
  try {
    await Promise.all([endSession(), deleteStoredDocuments()])
  } finally {
    window.location.assign(`/login?${new URLSearchParams({ return_to: here }).toString()}`)
  }
}

/** Loaded only now: who never opened an incident has nothing stored. */
async function deleteStoredDocuments(): Promise<void> {
  const { deleteDocuments } = await import('../collab/indexedDbStorage.ts')
  await deleteDocuments()
}
