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

describe('the choices of the board', () => {
  it('group and tab by what the specification names, in its words, and by label keys', async () => {
    page = await openBoard([buildCheck({ id: 'a', labels: { team: 'pay' } })])
    const choices = (name: string): string[] => {
      const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)
      return [...(label?.control?.querySelectorAll('option') ?? [])].map(({ text }) => text)
    }
    expect(choices('Group By')).toEqual(['No Grouping', 'Group Name', 'Name', 'Description', 'Type', 'team'])
    expect(choices('Tab By')).toEqual(['Namespace', 'Agent', 'team'])
  })
})
