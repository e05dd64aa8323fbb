import { endSession } from './identity.ts'
import { endHostedSession } from './organizations.ts'
import { RequestError } from './request.ts'

/**
 * Ends the session.
 *
 * @param isHosted whether people signed in with a provider, which then ends its own session as well
 * @returns where to go next; the next sign-in returns to `returnTo`
 */
export async function leave(isHosted: boolean, returnTo: string): Promise<string> {
  try {
    if (isHosted) return await endHostedSession(returnTo)
    await endSession()
  } catch (error) {
    // There was no session any more.
    if (!(error instanceof RequestError && error.status === 401)) throw error
  }
  return `/login?${new URLSearchParams({ return_to: returnTo }).toString()}`
}
