import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { clearAllDrafts, clearDraft, readDraft, writeDraft } from '../../../web/src/preferences/drafts.ts'

const TextSchema = z.object({ text: z.string() })

describe('drafts of a tab', () => {
  beforeEach(() => sessionStorage.clear())
  afterEach(() => vi.restoreAllMocks())

  it('reads what was written, until it is cleared', () => {
    writeDraft('a', { text: 'x' })
    expect(readDraft('a', TextSchema)).toEqual({ text: 'x' })
    expect(readDraft('b', TextSchema)).toBeNull()
    clearDraft('a')
    expect(readDraft('a', TextSchema)).toBeNull()
  })

  it('forgets all of them, and nothing else, when someone signs out', () => {
    writeDraft('a', { text: 'x' })
    writeDraft('b', { text: 'y' })
    sessionStorage.setItem('scroll', '1')
    clearAllDrafts()
    expect([readDraft('a', TextSchema), readDraft('b', TextSchema)]).toEqual([null, null])
    expect(sessionStorage.getItem('scroll')).toBe('1')
  })

  it.each(['{', 'null', '{"text":1}', '"x"'])('treats %s as no draft', (stored) => {
    sessionStorage.setItem('draft:a', stored)
    expect(readDraft('a', TextSchema)).toBeNull()
  })

  it('lives as long as the page where nothing can be stored', () => {
    const blocked = (): never => {
      throw new Error('blocked')
    }
    vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, removeItem: blocked })
    writeDraft('a', { text: 'x' })
    writeDraft('b', { text: 'y' })
    expect(readDraft('a', TextSchema)).toEqual({ text: 'x' })
    clearDraft('a')
    expect([readDraft('a', TextSchema), readDraft('b', TextSchema)]).toEqual([null, { text: 'y' }])
    clearAllDrafts()
    expect(readDraft('b', TextSchema)).toBeNull()
    vi.unstubAllGlobals()
  })

  it('is the newest text, also where the storage is full by now', () => {
    writeDraft('a', { text: 'old' })
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full')
    })
    writeDraft('a', { text: 'new' })
    expect(readDraft('a', TextSchema)).toEqual({ text: 'new' })
    full.mockRestore()
    writeDraft('a', { text: 'newest' })
    expect(readDraft('a', TextSchema)).toEqual({ text: 'newest' })
  })
})
