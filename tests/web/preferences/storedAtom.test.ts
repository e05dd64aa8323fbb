import { createStore } from 'jotai'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { parseStored, storedAtom } from '../../../web/src/preferences/storedAtom.ts'

const options = { schema: z.enum(['light', 'dark']), version: 2, fallback: 'light' as const }

beforeEach(() => localStorage.clear())

describe('parseStored', () => {
  it('reads a value of this version', () => {
    expect(parseStored('{"v":2,"value":"dark"}', options)).toBe('dark')
  })

  it.each([null, '', 'dark', '{"v":1,"value":"dark"}', '{"v":2,"value":"blue"}', '{"v":2}', '[]', 'null', '{'])(
    'reads %j as the fallback',
    (text) => {
      expect(parseStored(text, options)).toBe('light')
    },
  )
})

describe('storedAtom', () => {
  it('starts with what is stored and stores what is chosen, with its version', () => {
    localStorage.setItem('theme', '{"v":2,"value":"dark"}')
    const store = createStore()
    const atom = storedAtom('theme', options)
    expect(store.get(atom)).toBe('dark')
    store.set(atom, 'light')
    expect(localStorage.getItem('theme')).toBe('{"v":2,"value":"light"}')
  })

  it('follows a change made in another tab', () => {
    const store = createStore()
    const atom = storedAtom('theme', options)
    const stop = store.sub(atom, () => undefined)
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: '{"v":2,"value":"dark"}' }))
    expect(store.get(atom)).toBe('dark')
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'nonsense' }))
    expect(store.get(atom)).toBe('light')
    stop()
  })
})
