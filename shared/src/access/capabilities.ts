// What one backend can do and another cannot. The gateway asks once, with questions that change nothing; the page then does not offer
// what is not there, and says why where it stays in sight.
import { z } from 'zod'

/** What a backend says that it can do beyond the field's own backends, in `can` of `GET /canary/about`. */
export const EXTENSIONS = [
  'trials',
  'self-checks',
  'prompt-runs',
  'session-tokens',
  'playbook-output',
  'event-retries',
  'connection-trials',
  'settings-history',
] as const

interface Capability {
  /**
   * How to find out: an extension, or an endpoint that answers 404 or 405 where it is missing. A POST carries a list where an object
   * is expected, which every backend refuses before it acts.
   */
  readonly known: (typeof EXTENSIONS)[number] | { readonly method: 'GET' | 'POST'; readonly path: string }
  /** Said to a person beside what is not offered. */
  readonly reason: string
}

export const CAPABILITIES = {
  trials: { known: 'trials', reason: 'This backend can’t run a check before it’s saved.' },
  selfChecks: { known: 'self-checks', reason: 'This backend doesn’t run Watchroom’s self checks.' },
  promptRuns: {
    known: 'prompt-runs',
    reason: 'A new check first runs at the backend’s next scan, up to 5 minutes later.',
  },
  sessionTokens: {
    known: 'session-tokens',
    reason:
      'This backend doesn’t accept X-Session-Token. Use HTTP Basic with an e-mail address and password, or with the name token and an access token.',
  },
  playbooks: { known: { method: 'GET', path: '/playbook/list' }, reason: 'This backend does not run playbooks.' },
  playbookOutput: {
    known: 'playbook-output',
    reason: 'This backend shows the output of a step once it has ended.',
  },
  eventRetries: { known: 'event-retries', reason: 'This backend retries failed events only by itself.' },
  connectionTrials: {
    known: 'connection-trials',
    reason: 'This backend tests a connection only after it’s saved.',
  },
  settingsHistory: { known: 'settings-history', reason: 'This backend keeps no history of settings.' },
  logs: { known: { method: 'POST', path: '/logs' }, reason: 'This backend has no log service.' },
  whatChanged: {
    known: { method: 'POST', path: '/catalog/what-changed' },
    reason: 'This backend does not rank what changed.',
  },
  // Not by the table of routes, which no page needs.
  agents: { known: { method: 'POST', path: '/agent/generate' }, reason: 'This backend doesn’t issue agent tokens.' },
} as const satisfies Record<string, Capability>

export type CapabilityName = keyof typeof CAPABILITIES
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as CapabilityName[]

/** Answer of `GET /gateway/backend`: what stands behind the gateway, for everyone who is signed in. */
export const BackendFactsSchema = z.object({
  /** `announced`: its database says at once what changed. `polled`: it is asked every few seconds. */
  changes: z.enum(['announced', 'polled']),
  /** What it was found not to do; what is not known yet is not among them. */
  missing: z.array(z.enum(CAPABILITY_NAMES)),
  /** Where people sign in with a provider of their own: the organization that this is of, if there are several. */
  hosted: z.object({ organization: z.string().nullable() }).optional(),
})
export type BackendFacts = z.infer<typeof BackendFactsSchema>
