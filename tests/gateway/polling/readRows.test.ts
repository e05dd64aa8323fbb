import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

import { readRows } from '../../../gateway/src/polling/readRows.ts'

/** The text as it might arrive: in pieces of `size` bytes, cut anywhere. */
async function* arrive(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string, size?: number): Promise<{ rows: unknown[]; rest: unknown }> {
  const rows: unknown[] = []
  const rest = await readRows(arrive(text, size), 'rows', (row) => rows.push(row))
  return { rows, rest }
}

describe('readRows', () => {
  it('calls back with each element and returns what is around them', async () => {
    const answer = { before: { rows: [1] }, rows: [{ id: 'a' }, { id: 'b', deep: { rows: [[]] } }], cursor: '"rows":[' }
    expect(await read(JSON.stringify(answer))).toEqual({
      rows: answer.rows,
      rest: { ...answer, rows: [] },
    })
  })

  it.each([
    ['{"rows":[]}', [], { rows: [] }],
    ['{"rows":null}', [], { rows: null }],
    ['{}', [], {}],
    ['{"rows" : [ 1 , "a" , null , true , [2] , {} ] , "x":1}', [1, 'a', null, true, [2], {}], { rows: [], x: 1 }],
    ['[{"rows":[1]}]', [], [{ rows: [1] }]],
    ['{"x":{"rows":[1]},"rows":[2]}', [2], { x: { rows: [1] }, rows: [] }],
    ['{"y":"\\"rows\\":[","rows":["]","}","\\\\"]}', [']', '}', '\\'], { y: '"rows":[', rows: [] }],
  ])('reads %s', async (text, rows, rest) => {
    for (const size of [1, 2, 3, 1_000]) expect(await read(text, size)).toEqual({ rows, rest })
  })

  it('reads anything JSON.parse reads, wherever the pieces are cut', async () => {
    const random = createRandom(11)
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
    const value = (depth: number): unknown => {
      const kind = pick(depth > 3 ? ['text', 'number'] : ['text', 'number', 'list', 'object', 'null'])
      if (kind === 'text') return pick(['', 'é€😀', '\\', '"', '{', '}', '[', ']', ',', '"rows":['])
      if (kind === 'number') return pick([0, -1.5, 1e21])
      if (kind === 'list') return Array.from({ length: Math.floor(random() * 3) }, () => value(depth + 1))
      if (kind === 'object') return { a: value(depth + 1), rows: value(depth + 1) }
      return null
    }
    for (let round = 0; round < 300; round++) {
      const rows = Array.from({ length: Math.floor(random() * 5) }, () => value(1))
      const answer = random() < 0.5 ? { x: value(1), rows, y: value(1) } : { rows, x: value(1) }
      const text = JSON.stringify(answer, null, pick([0, 2]))
      expect(await read(text, 1 + Math.floor(random() * 20))).toEqual({ rows, rest: { ...answer, rows: [] } })
    }
  })

  it.each(['', '{"rows":[1,', '{"rows":[{]}', '{"rows":[nonsense]}', '<html>', '{"rows":[1]'])(
    'throws on %j',
    async (text) => {
      await expect(read(text)).rejects.toThrow(SyntaxError)
    },
  )
})
