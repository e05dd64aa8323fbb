import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer } from '#support/web/fakeServer.ts'

import { openBoard } from './boardPage.tsx'

let page: Awaited<ReturnType<typeof openBoard>>
beforeEach(() => {
  createFakeServer()
})
afterEach(async () => {
  await page.close()
  vi.unstubAllGlobals()
})

describe('the search of the board', () => {
  it('says what it searches, and shows the search of the address', async () => {
    page = await openBoard([buildCheck({ id: 'a' })], { address: '/health?query=disk' })
    const field = page.find('input[type="search"]')
    expect(field?.getAttribute('placeholder')).toBe('Search by name, description, or endpoint')
    expect(field).toMatchObject({ value: 'disk' })
  })
})
