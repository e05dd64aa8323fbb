// Proving that one reads mail to one's address.
import type { Mailer } from '../../mail/createMailer.ts'
import type { People } from '../people/createPeople.ts'
import type { MailedProofs } from './createMailedProofs.ts'
import { again } from './flowDefinition.ts'
import { createMailedFlow, type MailedFlow, type MailedVia } from './mailedFlow.ts'
import { MESSAGES } from './messages.ts'

interface Deps {
  readonly people: People
  readonly proofs: MailedProofs
  readonly mailer: Mailer
  readonly readVia: () => Promise<MailedVia>
}

export const createVerification = (deps: Deps): MailedFlow =>
  createMailedFlow({
    ...deps,
    words: {
      type: 'verification',
      page: '/verification',
      sent: { code: MESSAGES.verificationCodeSent, link: MESSAGES.verificationLinkSent },
      wrong: { code: MESSAGES.wrongVerificationCode, link: MESSAGES.wrongVerificationLink },
      codeLabel: { id: 1_070_011, text: 'Verification code' },
    },
    onProved: async ({ owner }) => {
      await deps.people.markVerified(owner.id, owner.email)
      return again({ messages: [MESSAGES.verified], step: 'passed_challenge', proof: null, identityId: null }, 200)
    },
  })
