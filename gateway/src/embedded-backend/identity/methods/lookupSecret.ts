// Backup codes: each stands in for the second factor once.
import { randomInt } from 'node:crypto'

import { z } from 'zod'

import type { Seal } from '../../../platform/createSeal.ts'
import { again } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { type FlowNode, input, submit, text } from '../flows/nodes.ts'
import { isSameSecret } from '../secrets.ts'
import type { Sessions } from '../sessions/createSessions.ts'
import type { Credentials } from './createCredentials.ts'
import type { LoginMethod } from './loginMethod.ts'
import { isPressed, type SettingsMethod, textOf } from './settingsMethod.ts'

const CODES = 12
/** 41 bits: nobody tries as many. */
const CODE_LENGTH = 8
/** Without what is read as something else. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

const CodeSchema = z.object({ code: z.string(), isUsed: z.boolean() })
/** The codes, sealed together. */
const ConfigSchema = z.object({ sealed: z.string() })
type Code = z.infer<typeof CodeSchema>

interface Deps {
  readonly credentials: Credentials
  readonly sessions: Sessions
  readonly seal: Seal
}

const newCode = (): string => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export function createLookupSecret({ credentials, sessions, seal }: Deps): LoginMethod & SettingsMethod {
  const find = async (identityId: string) => (await credentials.list(identityId, 'lookup_secret')).at(0)
  const open = (sealed: string): Code[] => z.array(CodeSchema).parse(JSON.parse(seal.open(sealed)))
  const close = (codes: readonly Code[]): string => seal.seal(JSON.stringify(codes))

  const codesNode = (codes: readonly Code[]): FlowNode => {
    const secrets = codes.map(({ code, isUsed }) => (isUsed ? 'used' : code))
    return text(
      'lookup_secret',
      'lookup_secret_codes',
      { id: 1_050_015, text: secrets.join(', '), type: 'info', context: { secrets } },
      { id: 1_050_010, text: 'Your backup codes. Keep them in a safe place: each works once.' },
    )
  }
  const button = (name: string, id: number, label: string): FlowNode =>
    submit('lookup_secret', { id, text: label }, true, `lookup_secret_${name}`)
  const regenerate = button('regenerate', 1_050_008, 'Generate new backup codes')
  const disable = button('disable', 1_050_016, 'Disable backup codes')

  return {
    name: 'lookup_secret',
    aal: 'aal2',
    isSensitive: () => true,

    nodes: async (flow, owner) => {
      const existing = owner ? await find(owner.id) : undefined
      if (flow.type === 'login') {
        if (!existing) return []
        return [
          input(
            'lookup_secret',
            { name: 'lookup_secret', type: 'text', required: true },
            { id: 1_010_007, text: 'Backup recovery code' },
          ),
          submit('lookup_secret', { id: 1_010_010, text: 'Use backup recovery code' }),
        ]
      }
      const made = flow.state.sealed['lookup_secret']
      if (made !== undefined) {
        return [codesNode(open(made)), button('confirm', 1_050_011, 'I have stored the backup codes')]
      }
      if (!existing) return [regenerate]
      if (flow.state.sealed['revealed'] === undefined) {
        return [button('reveal', 1_050_007, 'Show backup codes'), disable]
      }
      return [codesNode(open(ConfigSchema.parse(existing.config).sealed)), regenerate, disable]
    },

    prove: async ({ body }, owner) => {
      const refuse = (message: typeof MESSAGES.wrongLookup) => ({
        ok: false as const,
        answer: again({ messages: [message] }),
      })
      const existing = owner ? await find(owner.id) : undefined
      if (!owner || !existing) return refuse(MESSAGES.wrongLookup)
      const given = textOf(body, 'lookup_secret').trim().toLowerCase()
      const codes = open(ConfigSchema.parse(existing.config).sealed)
      const match = codes.find(({ code }) => isSameSecret(given, code))
      if (!match) return refuse(MESSAGES.wrongLookup)
      if (match.isUsed) return refuse(MESSAGES.usedLookup)
      const left = codes.map((code) => (code === match ? { ...code, isUsed: true } : code))
      const isUsedUp = await credentials.replace(existing, { sealed: close(left) })
      return isUsedUp ? { ok: true, identity: owner } : refuse(MESSAGES.usedLookup)
    },

    save: async ({ flow, body }, session) => {
      const { id } = session.identity
      const { sealed } = flow.state
      if (isPressed(body, 'lookup_secret_regenerate')) {
        const codes = Array.from({ length: CODES }, () => ({ code: newCode(), isUsed: false }))
        return again({ step: 'show_form', sealed: { ...sealed, lookup_secret: close(codes) } }, 200)
      }
      if (isPressed(body, 'lookup_secret_reveal')) {
        return again({ step: 'show_form', sealed: { ...sealed, revealed: 'true' } }, 200)
      }
      if (isPressed(body, 'lookup_secret_disable')) {
        await credentials.remove(id, 'lookup_secret')
        return 'saved'
      }
      const made = sealed['lookup_secret']
      if (!isPressed(body, 'lookup_secret_confirm') || made === undefined) {
        return again({ messages: [MESSAGES.unknownMethod] })
      }
      // First: a session without the new factor would end.
      await sessions.addProof(session.id, { method: 'lookup_secret', aal: 'aal2' })
      await credentials.put({ identityId: id, type: 'lookup_secret', identifier: '', config: { sealed: made } })
      return 'saved'
    },
  }
}
