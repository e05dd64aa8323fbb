// Codes and links by mail: made, sent to whoever has the address, and looked at when they come back. What is answered, the work until
// then, and when it is answered are the same whether anyone has the address.
import { randomInt } from 'node:crypto'

import type { Clock, RateLimitPolicy } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import type { Seal } from '../../../platform/createSeal.ts'
import { inTransaction } from '../../../platform/database/inTransaction.ts'
import type { Mail, Mailer } from '../../mail/createMailer.ts'
import { forwardedBlock } from '../../server/forwarded.ts'
import { createAttemptLimiter } from '../createAttemptLimiter.ts'
import { tooOften } from '../methods/password.ts'
import { isSameSecret, newToken } from '../secrets.ts'
import type { FlowChanges, FlowStore } from './createFlowStore.ts'
import type { Flow } from './flow.ts'
import { again, type FlowAnswer, type SubmitCall } from './flowDefinition.ts'

/** Of flows that send mail, and of what they send. */
export const PROOF_LIFETIME_MS = 15 * 60_000
export const PROOF_MINUTES = PROOF_LIFETIME_MS / 60_000
/**
 * An address gets 288 codes a day, each with five tries: whoever asks for them all, for a year, has found one code of this length with a
 * chance of 1 in 190. Six digits would be found with one of 2 in 5.
 */
export const CODE_LENGTH = 8

/** Nobody's inbox is flooded: five mails to an address, then one in five minutes. */
const MAILS: RateLimitPolicy = { burst: 5, perSecond: 1 / 300 }

/**
 * Answers come at the end of a step this long. A mail that is on its way is written and sent beside the answer, which took a millisecond
 * longer with it: enough to tell who has an account.
 */
const ANSWER_STEP_MS = 100

export interface SentProof {
  readonly email: string
  /** Whom the proof is for; null when nobody in particular, or nobody at all. */
  readonly identityId: string | null
  /** Whether a mail goes out. */
  readonly isReal: boolean
  readonly via: 'code' | 'link'
  readonly toMail: (secret: string) => Mail
  /** Of the flow, with the mail in the same transaction. */
  readonly changes: FlowChanges
  readonly status: number
}

export interface MailedProofs {
  send(call: Pick<SubmitCall, 'request' | 'flow'>, proof: SentProof): Promise<FlowAnswer>
  /** Counts the try. @returns `spent` when there were too many */
  check(flow: Flow, secret: string): Promise<'right' | 'wrong' | 'spent'>
}

interface Deps {
  readonly pool: Pool
  readonly clock: Clock
  readonly store: FlowStore
  readonly seal: Seal
  readonly mailer: Mailer
}

export function createMailedProofs({ pool, clock, store, seal, mailer }: Deps): MailedProofs {
  const limiter = createAttemptLimiter(clock, MAILS)
  const hashOf = (flow: Flow, secret: string): string => seal.mac(`${flow.id}:${secret}`)

  return {
    send: async ({ request, flow }, { email, identityId, isReal, via, toMail, changes, status }) => {
      const startedAt = clock.monotonic()
      const address = forwardedBlock(request)
      const attempt = limiter.begin({ identifier: email, address, origin: address, isKnown: false })
      if (!attempt.ok) return tooOften(attempt.waitMs)
      const secret = via === 'code' ? String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0') : newToken()
      const proof = { hash: hashOf(flow, secret), email }
      const answer = again({ ...changes, identityId, proof, active: via, step: 'sent_email' }, status)
      await inTransaction(pool, async (client) => {
        await store.update(flow, answer.changes, client)
        await client.query('savepoint mail')
        await mailer.enqueue(client, toMail(secret))
        // The same work either way, and the same commit.
        await client.query(isReal ? 'release savepoint mail' : 'rollback to savepoint mail')
      })
      return { ...answer, step: { startedAt, ms: ANSWER_STEP_MS } }
    },

    check: async (flow, secret) => {
      if (!(await store.takeTry(flow))) return 'spent'
      const { proof } = flow.state
      return proof !== null && isSameSecret(hashOf(flow, secret), proof.hash) ? 'right' : 'wrong'
    },
  }
}
