import { endSession } from './identity.ts'
import { endHostedSession } from './organizations.ts'
import { RequestError } from './request.ts'

/**
 * Ends the session.
 *
 * @param isHosted whether it is a provider's, who then ends its own as well
 * @returns where to go then; the next sign-in leads to `returnTo`
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
