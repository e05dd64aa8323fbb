// What an answer looks like on the wire: keys and kinds of values, as far as another program reads them.
import { expect } from 'vitest'

import type { BackendAnswer } from './embeddedBackend.ts'

/** `?` at the end: null is possible. `key?` instead: the key may be absent. */
type Kind = 'uuid' | 'time' | 'text' | 'number' | 'flag' | 'object' | 'list' | 'null' | 'any'
export type Shape = Readonly<Record<string, Kind | `${Kind}?`>>

export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'any':
      return true
    case 'null':
      return value === null
    case 'uuid':
      return typeof value === 'string' && UUID.test(value)
    case 'time':
      return typeof value === 'string' && TIME.test(value)
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}

/** Every key of the shape is there with its type. @param more keys of ours beside the recorded ones, each with its reason */
export function expectShape(value: unknown, shape: Shape, more: Readonly<Record<string, string>> = {}): void {
  const row = value as Record<string, unknown>
  expect(
    Object.keys(row)
      .filter((key) => !(key in more))
      .toSorted(),
  ).toEqual(Object.keys(shape).toSorted())
  for (const [key, text] of Object.entries(shape)) {
    const isNullable = text.endsWith('?')
    const kind = (isNullable ? text.slice(0, -1) : text) as Kind
    const given = row[key]
    expect({ key, given, kind, isRight: (isNullable && given === null) || isOfKind(given, kind) }).toMatchObject({
      isRight: true,
    })
  }
}

export const typeOf = ({ headers }: BackendAnswer): string =>
  String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''

/** The one row that an answer has. */
export function rowOf(answer: BackendAnswer, status: number): Record<string, unknown> {
  expect({ status: answer.status, type: typeOf(answer) }, answer.text).toEqual({ status, type: 'application/json' })
  const rows = answer.json() as Record<string, unknown>[]
  expect(rows).toHaveLength(1)
  return rows[0] ?? {}
}
