import type { FlowNode } from '@watchroom/shared/identity'
import { describe, expect, it, vi } from 'vitest'

import { askForKey } from '../../../../web/src/features/sign-in/browserKeys.ts'
import type { InputNode } from '../../../../web/src/features/sign-in/flowValues.ts'

const asked = vi.hoisted((): unknown[] => [])
vi.mock('@simplewebauthn/browser', () => {
  const answer = (kind: string) => async (options: { optionsJSON: unknown }) => {
    asked.push([kind, options.optionsJSON])
    return { id: 'the key' }
  }
  return { startRegistration: answer('new'), startAuthentication: answer('known') }
})

const node = (name: string, attributes: Record<string, unknown>): InputNode =>
  ({
    type: 'input',
    group: 'passkey',
    messages: [],
    meta: {},
    attributes: { node_type: 'input', name, type: 'hidden', ...attributes },
  }) as unknown as InputNode

const question = (challenge: string): string => JSON.stringify({ publicKey: { challenge } })

describe('a key', () => {
  it.each([
    ['new', 'oryPasskeySettingsRegistration', '', 'passkey_create_data', 'passkey_settings_register'],
    ['known', 'oryPasskeyLogin', '', 'passkey_challenge', 'passkey_login'],
    ['new', 'oryPasskeySettingsRegistration', question('right'), null, 'passkey_settings_register'],
    ['known', 'oryWebAuthnLogin', question('right'), null, 'webauthn_login'],
  ])('is asked for as the service says: %s, by %s', async (kind, onclickTrigger, value, beside, field) => {
    asked.length = 0
    const button = node('trigger', { type: 'button', onclickTrigger, value })
    const nodes: FlowNode[] = [button, ...(beside === null ? [] : [node(beside, { value: question('right') })])]
    expect(await askForKey(button, nodes)).toEqual({ field, answer: '{"id":"the key"}' })
    expect(asked).toEqual([[kind, { challenge: 'right' }]])
  })
})
