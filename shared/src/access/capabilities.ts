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
  'run-control',
  'access-tokens',
  'outbox',
  'notification-reasons',
  'account-control',
  'severity-order',
  'spec-judges',
] as const

/** What people read where something is not offered. How each is found out: the gateway's createBackendCapabilities.ts. */
export const CAPABILITIES = {
  trials: 'This backend can’t try anything before it’s saved.',
  selfChecks: 'This backend doesn’t run Watchroom’s self checks.',
  promptRuns: 'A new check first runs at this backend’s next scan, within 5 minutes.',
  sessionTokens: 'This backend doesn’t accept X-Session-Token.',
  playbooks: 'This backend doesn’t run playbooks.',
  playbookOutput: 'This backend shows a step’s output once it has ended.',
  runControl: 'This backend doesn’t cancel or retry runs.',
  eventRetries: 'This backend retries failed events only by itself.',
  connectionTrials: 'This backend tests a connection only after it’s saved.',
  settingsHistory: 'This backend keeps no settings history.',
  logs: 'This backend has no log service.',
  whatChanged: 'This backend doesn’t rank what changed.',
  agents: 'This backend doesn’t issue agent tokens.',
  people: 'This backend doesn’t list its users.',
  accessTokens: 'This backend doesn’t issue access tokens here.',
  outbox: 'This backend doesn’t list its mails.',
  notificationHistory: 'This backend doesn’t list sent notifications.',
  accountControl: 'This backend doesn’t list sessions or send invitations again.',
  /** And reads rules before they are saved, and sends again. */
  notificationReasons: 'This backend doesn’t say why it notified someone.',
  severityOrder: 'This backend doesn’t sort by severity.',
  /** Ours refuses a spec that it cannot run, and a form says so before. Another has schemas of its own, which nobody knows here. */
  specJudges: 'This backend may know more. The spec can be saved as it is.',
} as const satisfies Record<string, string>

export type CapabilityName = keyof typeof CAPABILITIES
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as CapabilityName[]

/** Answer of `GET /gateway/backend`: what stands behind the gateway, for everyone who is signed in. */
export const BackendFactsSchema = z.object({
  /** `announced`: its database says at once what changed. `polled`: it is asked every few seconds. */
  changes: z.enum(['announced', 'polled']),
  /** What it was found not to do; what is not known yet is not among them. */
  missing: z.array(z.enum(CAPABILITY_NAMES)),
  /** Apart from Watchroom itself, what it shows is invented. */
  demo: z.literal(true).optional(),
  /** Where people sign in with a provider of their own: the organization that this is of, if there are several. */
  hosted: z.object({ organization: z.string().nullable() }).optional(),
})
export type BackendFacts = z.infer<typeof BackendFactsSchema>
