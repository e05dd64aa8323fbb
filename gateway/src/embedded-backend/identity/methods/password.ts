// Passwords: signing in with one, and choosing one.
import { z } from 'zod'

import type { FlowChanges } from '../flows/createFlowStore.ts'
import { again, type FlowAnswer } from '../flows/flowDefinition.ts'
import { type FlowMessage, MESSAGES } from '../flows/messages.ts'
import { hidden, input, LABELS, submit } from '../flows/nodes.ts'
import { originOf, rememberDevice } from '../requests.ts'
import type { Sessions } from '../sessions/createSessions.ts'
import { COMMON_PASSWORDS } from './commonPasswords.ts'
import { FULL_LINE_WAIT_MS, type Passwords } from './createPasswords.ts'
import type { LoginMethod } from './loginMethod.ts'
import { type SettingsMethod, textOf } from './settingsMethod.ts'

/** NIST SP 800-63B; shorter ones are guessed. */
const MIN_LENGTH = 8
/** Longer passwords are refused before they are hashed. */
const MAX_LENGTH = 1_024
/** A shorter name is in many good passwords by chance. */
const MIN_NAME_LENGTH = 4

const text = z.string().catch('')
const LoginBodySchema = z.object({
  identifier: text,
  /** Older clients name the field so. */
  password_identifier: text,
  password: z.string().max(MAX_LENGTH).catch(''),
})

export function createPasswordLogin(passwords: Passwords): LoginMethod {
  return {
    name: 'password',
    aal: 'aal1',

    nodes: async ({ state }, owner) => [
      owner
        ? hidden('default', 'identifier', owner.email)
        : input(
            'default',
            {
              name: 'identifier',
              type: 'text',
              value: state.values['identifier'] ?? '',
              required: true,
              autocomplete: 'username',
            },
            { id: 1_070_004, text: 'E-mail' },
          ),
      input(
        'password',
        { name: 'password', type: 'password', required: true, autocomplete: 'current-password' },
        LABELS.password,
      ),
      submit('password', { id: owner ? 1_010_001 : 1_010_022, text: 'Sign in' }),
    ],

    prove: async ({ request, reply, flow, body }, owner) => {
      const given = LoginBodySchema.parse(body)
      const identifier = owner?.email ?? (given.identifier || given.password_identifier)
      const refuse = (messages: FlowMessage[], status = 400) => ({
        ok: false as const,
        answer: again({ values: { identifier }, messages }, status),
      })
      const missing = Object.entries({ identifier, password: given.password }).filter(([, value]) => value === '')
      if (missing.length > 0) {
        const fieldMessages = Object.fromEntries(missing.map(([name]) => [name, [MESSAGES.missing(name)]]))
        return { ok: false, answer: again({ values: { identifier }, fieldMessages }) }
      }
      const origin = originOf(request, flow.kind)
      const check = await passwords.checkPassword(identifier, given.password, origin)
      switch (check.kind) {
        case 'wrong':
          return refuse([MESSAGES.wrongCredentials])
        case 'inactive':
          return refuse([MESSAGES.inactive])
        case 'wait':
          return { ok: false, answer: tooOften(check.waitMs, { values: { identifier } }) }
        case 'right':
          rememberDevice(request, reply, origin)
          return { ok: true, identity: check.identity }
      }
    },
  }
}

/** The form again, for later. */
export const tooOften = (waitMs: number, changes: FlowChanges = {}): FlowAnswer => ({
  ...again({ ...changes, messages: [MESSAGES.tooOften(waitMs)] }, 429),
  retryAfterMs: waitMs,
})

/** @returns what is wrong with a password that someone chose; null when nothing is */
export function judgePassword(password: string, email: string): FlowMessage | null {
  if (password === '') return MESSAGES.missing('password')
  const { length } = Array.from(password)
  if (length < MIN_LENGTH) return MESSAGES.shortPassword(MIN_LENGTH, length)
  if (length > MAX_LENGTH) return MESSAGES.longPassword(MAX_LENGTH, length)
  if (isSimilar(password, email)) return MESSAGES.similarPassword
  return COMMON_PASSWORDS.has(password.toLowerCase()) ? MESSAGES.commonPassword : null
}

/** The address, or the name in it, with little else. */
function isSimilar(password: string, email: string): boolean {
  const chosen = password.toLowerCase()
  const address = email.trim().toLowerCase()
  const name = address.split('@', 1)[0] ?? ''
  if (address === '' || chosen.includes(address) || address.includes(chosen)) return address !== ''
  return name.length >= MIN_NAME_LENGTH && chosen.includes(name) && chosen.length < name.length + MIN_LENGTH
}

/** Changing the password ends all other sessions: whoever knew the old one is out. */
export function createPasswordSettings(identity: Passwords & Sessions): SettingsMethod {
  return {
    name: 'password',
    isSensitive: () => true,
    nodes: async () => [
      input(
        'password',
        { name: 'password', type: 'password', required: true, autocomplete: 'new-password' },
        LABELS.password,
      ),
      submit('password', LABELS.save),
    ],
    save: async ({ body }, session) => {
      const password = textOf(body, 'password')
      const fault = judgePassword(password, session.identity.email)
      if (fault) return again({ step: 'show_form', fieldMessages: { password: [fault] } })
      const hashing = identity.hashChosen(password)
      if (!hashing) return tooOften(FULL_LINE_WAIT_MS)
      await identity.setPasswordHash(session.identity.id, await hashing)
      await identity.endSessions(session.identity.id, { except: session.id })
      return 'saved'
    },
  }
}
