import { endSession } from '../api/identity.ts'

/**
 * Ends the session and goes to the sign-in page, which leads back here. Ends there even if the service cannot be
 * reached: whoever signs out must not stay on the screen. A full page load, so that nothing of the session stays in memory.
 */
export async function signOut(): Promise<void> {
  const here = `${window.location.pathname}${window.location.search}`
  try {
    await endSession()
  } finally {
    window.location.assign(`/login?${new URLSearchParams({ return_to: here }).toString()}`)
  }
}
