import { describe, expect, it } from 'vitest'

import {
  toNamedValue,
  toWrittenCredential,
  tryReadCredential,
} from '../../../../../web/src/features/canaries/spec/credential.ts'

const EMPTY = { source: 'value', text: '', name: '', key: '' }
const secret = { valueFrom: { secretKeyRef: { name: 'shop', key: 'password' } } }

describe('tryReadCredential', () => {
  it.each([
    [undefined, EMPTY],
    [null, EMPTY],
    ['me', { ...EMPTY, text: 'me' }],
    [12, { ...EMPTY, text: '12' }],
    [{ value: 'me' }, { ...EMPTY, text: 'me' }],
    [secret, { ...EMPTY, source: 'secretKeyRef', name: 'shop', key: 'password' }],
    [{ valueFrom: { configMapKeyRef: {} } }, { ...EMPTY, source: 'configMapKeyRef' }],
  ])('reads %j', (written, credential) => {
    expect(tryReadCredential(written)).toEqual(credential)
  })

  it.each([
    {},
    [],
    { value: {} },
    { value: 'a', name: 'b' },
    { valueFrom: 'x' },
    { valueFrom: {} },
    { valueFrom: { helmRef: { name: 'a', key: 'b' } } },
    { valueFrom: { secretKeyRef: { name: 'a', key: 'b', optional: true } } },
    { valueFrom: { secretKeyRef: { name: ['a'], key: 'b' } } },
  ])('leaves %j to the YAML view, where nothing of it is lost', (written) => {
    expect(tryReadCredential(written)).toBeNull()
  })
})

describe('toWrittenCredential', () => {
  it('writes what it read', () => {
    for (const [written, isWrapped] of [
      ['me', false] as const,
      [{ value: 'me' }, true] as const,
      [secret, true] as const,
    ]) {
      const credential = tryReadCredential(written)
      if (credential === null) throw new Error('not read')
      expect(toWrittenCredential(credential, isWrapped)).toEqual(written)
    }
  })

  it('removes a field without a text, and keeps a row without one', () => {
    const credential = tryReadCredential('')
    if (credential === null) throw new Error('not read')
    expect(toWrittenCredential(credential, true)).toBeUndefined()
    expect(toNamedValue(credential)).toEqual({ value: '' })
  })
})
