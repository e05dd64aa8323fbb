import { crc32, inflateRawSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { createZip } from '../../../../gateway/src/embedded-backend/snapshots/createZip.ts'
import { toCsv } from '../../../../gateway/src/embedded-backend/snapshots/toCsv.ts'
import { readZip } from '../../../support/readZip.ts'

describe('createZip', () => {
  it('holds each text under its name, as its directory says', async () => {
    const files = [
      { name: 'components.json', content: JSON.stringify({ name: 'Ünïcode' }) },
      { name: 'logs/empty.log', content: '' },
      { name: 'long.csv', content: 'row,'.repeat(10_000) },
    ]
    const zip = await createZip(files, new Date('2026-03-01T08:30:10Z'))
    expect(readZip(zip)).toEqual(files)
    expect(zip.length).toBeLessThan(2_000)
  })

  it('is an archive without files too', async () => {
    expect(readZip(await createZip([], new Date(0)))).toEqual([])
  })

  it('says the checksum and the time of each file', async () => {
    const zip = await createZip([{ name: 'a', content: 'b' }], new Date('2026-03-01T08:30:10Z'))
    expect(zip.readUInt32LE(14)).toBe(crc32('b'))
    expect([zip.readUInt16LE(10), zip.readUInt16LE(12)]).toEqual([(8 << 11) | (30 << 5) | 5, (46 << 9) | (3 << 5) | 1])
    expect(inflateRawSync(zip.subarray(31, 31 + zip.readUInt32LE(18))).toString()).toBe('b')
  })
})

describe('toCsv', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['-cmd', "'-cmd"],
    ['\rx', '"\'\rx"'],
    ['-12.5', '-12.5'],
    ['a-b', 'a-b'],
  ])('writes the cell %j as %j', (cell, written) => {
    expect(toCsv([{ cell }])).toBe(`cell\r\n${written}\r\n`)
  })

  it('quotes what needs it, spells out nested values, and lets no cell begin like a formula', () => {
    const rows = [
      { id: 1, name: 'a "b", c', tags: { team: 'x' }, at: new Date(0), none: null },
      { id: 2, name: '=1+1', tags: null, at: null, none: undefined },
    ]
    expect(toCsv(rows)).toBe(
      'id,name,tags,at,none\r\n1,"a ""b"", c","{""team"":""x""}",1970-01-01T00:00:00.000Z,\r\n2,\'=1+1,,,\r\n',
    )
    expect(toCsv([])).toBe('')
  })
})
