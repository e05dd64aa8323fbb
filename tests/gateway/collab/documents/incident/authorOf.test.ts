import { describe, expect, it } from 'vitest'

import type { RowWrite } from '../../../../../gateway/src/collab/documentKind.ts'
import { authorOf } from '../../../../../gateway/src/collab/documents/incident/authorOf.ts'

const authorsAt = (authors: Record<string, string>) => ({
  of: (path: string) => new Map(Object.entries(authors)).get(path),
})

const write = (kind: 'insert' | 'update', entity: RowWrite['entity'], row: Record<string, unknown>): RowWrite => ({
  kind,
  entity,
  id: 'x',
  row,
  key: 'k',
})

describe('the author of a write', () => {
  it('is who changed what histories are about, before who changed a text', () => {
    const authors = authorsAt({ 'incident/title': 'ana', 'incident/status': 'bo' })
    expect(authorOf(authors, write('update', 'incidents', { title: 'a', status: 'open' }))).toBe('bo')
    expect(authorOf(authors, write('update', 'incidents', { title: 'a' }))).toBe('ana')
  })

  it('is found where the document keeps the field, whatever its column is called', () => {
    expect(
      authorOf(authorsAt({ 'dod/x:text': 'ana' }), write('update', 'evidences', { description: 'a', evidence: {} })),
    ).toBe('ana')
    expect(
      authorOf(authorsAt({ 'dod/x:member': 'bo' }), write('update', 'evidences', { definition_of_done: true })),
    ).toBe('bo')
    expect(authorOf(authorsAt({ 'comments/x/body': 'cy' }), write('update', 'comments', { comment: 'a' }))).toBe('cy')
  })

  it('is who wrote the entry where nobody changed a field of it', () => {
    expect(authorOf(authorsAt({ 'comments/x': 'cy' }), write('insert', 'comments', { comment: 'a' }))).toBe('cy')
    expect(authorOf(authorsAt({}), write('update', 'comments', { comment: 'a' }))).toBeNull()
  })
})
