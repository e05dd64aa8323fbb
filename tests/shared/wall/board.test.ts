import { WallBoardInputSchema, WallLinkInputSchema } from '@watchroom/shared/wall'
import { describe, expect, it } from 'vitest'

const fieldsOf = ({ error }: { error?: { issues: { path: PropertyKey[] }[] } | undefined }): string[] =>
  error?.issues.map(({ path }) => path.join('.')) ?? []

describe('a wallboard', () => {
  const board = { name: 'Payments', filter: { query: 'a', namespace: 'b', labels: { 'canary:team:c': 1 } } }

  it.each([
    ['name', { ...board, name: 'a\u0000b' }],
    ['filter', { ...board, filter: { query: 'a\u0000' } }],
    ['filter', { ...board, filter: { namespace: '\u0000' } }],
    ['filter', { ...board, filter: { labels: { 'a\u0000': 1 } } }],
    ['filter', { ...board, filter: { query: '\ud800' } }],
  ])('holds nothing in its %s that no table takes', (field, input) => {
    expect(fieldsOf(WallBoardInputSchema.safeParse(board))).toEqual([])
    expect(fieldsOf(WallBoardInputSchema.safeParse(input))).toEqual([field])
  })
})

describe('a link', () => {
  const read = (expiresAt: unknown) => WallLinkInputSchema.safeParse({ name: 'Lobby', expiresAt })

  it('ends at a moment that every table takes, in whatever zone it was told', () => {
    expect(read('2026-01-01T00:00:00+23:59').data?.expiresAt).toBe('2025-12-31T00:01:00.000Z')
    expect(read(null).data?.expiresAt).toBeNull()
    expect(read(undefined).data?.expiresAt).toBeNull()
  })

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', 'tomorrow'])(
    'does not end at %s',
    (text) => expect(fieldsOf(read(text))).toContain('expiresAt'),
  )

  it('holds no NUL in its name', () => {
    expect(fieldsOf(WallLinkInputSchema.safeParse({ name: 'a\u0000' }))).toEqual(['name'])
  })
})
