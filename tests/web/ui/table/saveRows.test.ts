import { expect, it } from 'vitest'

import type { TableColumn } from '../../../../web/src/ui/table/column.ts'
import { toCsv } from '../../../../web/src/ui/table/saveRows.ts'

interface Row {
  readonly shown: unknown
}
const columnOf = (kind: TableColumn<Row>['kind']): TableColumn<Row> => ({
  key: kind,
  title: 'What',
  kind,
  value: ({ shown }) => shown,
})

it.each([
  ['a comma and quotes', 'text', 'disk "full", again', '"disk ""full"", again"'],
  ['several lines', 'text', 'one\ntwo', '"one\ntwo"'],
  [
    'a formula as the text that it is',
    'text',
    '=HYPERLINK("http://evil.example")',
    '"\'=HYPERLINK(""http://evil.example"")"',
  ],
  ['a number below zero as a number', 'number', -5, '-5'],
  ['nothing', 'text', null, ''],
  ['a moment in UTC', 'time', '2026-03-01T12:00:00+01:00', '2026-03-01T11:00:00.000Z'],
  ['labels', 'labels', { app: 'shop', tier: 1 }, '"app=shop, tier=1"'],
  ['tags', 'tags', ['a', 'b'], '"a, b"'],
  ['a link by its words', 'link', { text: 'Shop', href: '/topology/1' }, 'Shop'],
] as const)('writes %s', (_, kind, shown, field) => {
  expect(toCsv([{ shown }], [columnOf(kind)])).toBe(`What\r\n${field}\r\n`)
})

it('leaves out controls, and says what durations are in', () => {
  const columns = [columnOf('duration'), columnOf('actions')]
  expect(toCsv([{ shown: 1_500 }], columns)).toBe('What (ms)\r\n1500\r\n')
})
