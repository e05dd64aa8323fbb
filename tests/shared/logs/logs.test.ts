import { matchesWords, readLogPage, toWords } from '@watchroom/shared/logs'
import { describe, expect, it } from 'vitest'

describe('a query', () => {
  const line = { message: 'GET /Cart 503', labels: { level: 'error', pod: 'shop-1' } }

  it.each([
    ['', true],
    ['cart', true],
    ['503 get', true],
    ['LEVEL=error 503', true],
    ['shop-1', true],
    ['cart missing', false],
    ['.*', false],
    ['level=error pod=shop-2', false],
  ])('of the words %j is found in message and labels: %s', (query, isFound) => {
    expect(matchesWords(line, toWords(query))).toBe(isFound)
  })
})

describe("a foreign backend's page", () => {
  it('gets ids where it has none, other ones for equal lines, and loses no line to a field', () => {
    const page = readLogPage({
      total: 4,
      results: [
        { timestamp: '2026-11-23T10:00:00Z', message: 'a', labels: { code: 7 } },
        { timestamp: '2026-11-23T10:00:00Z', message: 'a' },
        { message: null, labels: 'none' },
        { id: 'own', message: 'b' },
      ],
      nextPage: '',
    })
    expect(page.total).toBe(4)
    expect(page.results?.map(({ message }) => message)).toEqual(['a', 'a', '', 'b'])
    expect(page.results?.[0]?.labels).toEqual({ code: '7' })
    expect(new Set(page.results?.map(({ id }) => id)).size).toBe(4)
    expect(page.results?.[3]?.id).toBe('own')
    expect(page).not.toHaveProperty('nextPage')
  })

  it('may be empty, and is refused when it is none', () => {
    expect(readLogPage({})).toEqual({})
    expect(() => readLogPage([])).toThrow(/object/)
  })
})
