import { NIL_UUID } from '@watchroom/shared/kernel'
import { LogQuerySchema } from '@watchroom/shared/logs'
import { describe, expect, it } from 'vitest'

import { toPage, tryParsePage } from '../../../../gateway/src/embedded-backend/logs/cursor.ts'

const placeOf = (count: number): string =>
  JSON.stringify({ at: '1795428000000', ids: Array.from({ length: count }, (_, n) => `document ${n} of many`) })

describe('where several logs go on', () => {
  it('names all lines of their moments that are known, as long as that can be asked with', () => {
    const places = { a: placeOf(4_000), b: null, c: '17' }
    expect(tryParsePage(toPage({ start: 1, end: 2, places }))?.places).toEqual(places)
  })

  it('leaves out the rest of the moments with most lines where it cannot', () => {
    const long = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`log${n}`, placeOf(4_000 - n)]))
    const page = toPage({ start: 1, end: 2, places: { ...long, through: null, file: '17', short: placeOf(2) } })
    expect(LogQuerySchema.safeParse({ id: NIL_UUID, page }).success).toBe(true)
    const places = tryParsePage(page)?.places ?? {}
    expect(places).toMatchObject({ through: null, file: '17', short: placeOf(2), log8: long['log8'] })
    expect(places['log0']).toBe(JSON.stringify({ at: '1795427999999', ids: [] }))
  })
})
