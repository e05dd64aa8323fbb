// Codes of an authenticator app.
import type { Clock } from '@watchroom/shared/kernel'
import { generateSecret, generateURI, verify } from 'otplib'
import { z } from 'zod'

import type { Seal } from '../../../platform/createSeal.ts'
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { image, input, LABELS, submit, text } from '../flows/nodes.ts'
import type { Sessions } from '../sessions/createSessions.ts'
import type { Credentials } from './createCredentials.ts'
import type { LoginMethod } from './loginMethod.ts'
import { isPressed, type SettingsMethod, textOf } from './settingsMethod.ts'

const ISSUER = 'Watchroom'
/** Of the app's clock, in seconds: one code before and one after. */
const TOLERANCE_S = 30

const ConfigSchema = z.object({ secret: z.string(), lastStep: z.number() })

interface Deps {
  readonly credentials: Credentials
  readonly sessions: Sessions
  readonly seal: Seal
  readonly clock: Clock
}

/** A new secret, sealed, for a flow in which someone may set the app up. */
export const newTotpSecret = (seal: Seal): string => seal.seal(generateSecret())

export function createTotp({ credentials, sessions, seal, clock }: Deps): LoginMethod & SettingsMethod {
  /** @returns the step of the code, which must never be used again; null when it is wrong */
  const stepOf = async (secret: string, token: string, afterTimeStep: number): Promise<number | null> => {
    if (!/^\d{6}$/.test(token)) return null
    const checked = await verify({
      secret,
      token,
      epoch: Math.floor(clock.now() / 1_000),
      epochTolerance: TOLERANCE_S,
      ...(afterTimeStep > 0 ? { afterTimeStep } : {}),
    })
    return checked.valid && 'timeStep' in checked ? checked.timeStep : null
  }

  const find = async (identityId: string) => (await credentials.list(identityId, 'totp')).at(0)

  return {
    name: 'totp',
    aal: 'aal2',
    isGuessable: true,
    isSensitive: () => true,

    nodes: async (flow, owner) => {
      if (!owner) return []
      const existing = await find(owner.id)
      const code = (label: { id: number; text: string }) =>
        input('totp', { name: 'totp_code', type: 'text', required: true, autocomplete: 'one-time-code' }, label)
      if (flow.type === 'login') {
        if (!existing) return []
        return [
          code({ id: 1_010_006, text: 'Authentication code' }),
          submit('totp', { id: 1_010_009, text: 'Use Authenticator' }),
        ]
      }
      if (existing) return [submit('totp', { id: 1_050_004, text: 'Unlink authenticator app' }, true, 'totp_unlink')]
      const sealed = flow.state.sealed['totp']
      if (sealed === undefined) return []
      const secret = seal.open(sealed)
      const uri = generateURI({ issuer: ISSUER, label: owner.email, secret })
      const { toDataURL } = await import('qrcode')
      return [
        image('totp', 'totp_qr', await toDataURL(uri), { id: 1_050_005, text: 'QR code for your authenticator app' }),
        text(
          'totp',
          'totp_secret_key',
          { id: 1_050_006, text: secret, type: 'info', context: { secret } },
          { id: 1_050_017, text: 'The secret, for an app that cannot scan the QR code' },
        ),
        code(LABELS.verifyCode),
        submit('totp', LABELS.save),
      ]
    },

    prove: async ({ body }, owner) => {
      const wrong = { ok: false as const, answer: again({ messages: [MESSAGES.wrongTotp] }) }
      const existing = owner ? await find(owner.id) : undefined
      if (!owner || !existing) return wrong
      const { secret, lastStep } = ConfigSchema.parse(existing.config)
      const step = await stepOf(seal.open(secret), textOf(body, 'totp_code').replaceAll(' ', ''), lastStep)
      if (step === null || !(await credentials.replace(existing, { secret, lastStep: step }))) return wrong
      return { ok: true, identity: owner }
    },

    save: async ({ flow, body }, session) => {
      const { id } = session.identity
      if (isPressed(body, 'totp_unlink')) {
        await credentials.remove(id, 'totp')
        return 'saved'
      }
      const sealed = flow.state.sealed['totp']
      const code = textOf(body, 'totp_code').replaceAll(' ', '')
      const step = sealed === undefined ? null : await stepOf(seal.open(sealed), code, 0)
      if (step === null) {
        return again({ step: 'show_form', fieldMessages: { totp_code: [MESSAGES.wrongTotp] } })
      }
      // First: a session without the new factor would end.
      await sessions.addProof(session.id, { method: 'totp', aal: 'aal2' })
      await credentials.put({
        identityId: id,
        type: 'totp',
        identifier: '',
        config: { secret: sealed, lastStep: step },
      })
      return 'saved'
    },
  }
}
