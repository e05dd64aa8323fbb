import { describe, expect, it } from 'vitest'

import { findSelectRefusal } from '../../../shared/src/access/selectRefusal.ts'
import { READS } from '../../contract/postgrest/reads.ts'
import { WRITES } from '../../contract/postgrest/writes.ts'

const refusalOf = (select: string, roles = ['editor'] as const, path = '/db/people') =>
  findSelectRefusal(path, `select=${encodeURIComponent(select)}`, roles)

describe('findSelectRefusal', () => {
  it('lets every call of the console through', () => {
    const refused: string[] = []
    for (const { path } of [...READS, ...WRITES]) {
      const [name = '', query = ''] = path.split(/\?(.*)/s)
      if (findSelectRefusal(`/db/${name}`, query, ['admin'])) refused.push(path)
    }
    expect(refused).toEqual([])
  })

  it.each([
    'connections(password)',
    'a:connections(*)',
    'connections!connections_created_by_fkey(*)',
    'connections_created_by_fkey(*)',
    'c:connections_created_by_fkey!inner(*)',
    '...connections(password)',
    'teams(created_by(connections(*)))',
    'id,connections()',
    'id),connections(*)',
    ' connections (*)',
    '"connections"(*)',
    'connection_details(*)',
    'identities(*)',
    'permissions(*)',
    'access_tokens(value)',
    'access_tokens_person_fkey(value)',
    'casbin_rule(*)',
    'teams!access_tokens(*)',
  ])('keeps %s from editors', (select) => expect(refusalOf(select)).not.toBeNull())

  it.each([
    ['admin', true],
    ['editor', true],
    ['commander', false],
    ['responder', false],
    ['viewer', false],
  ] as const)('embeds names of connections for whoever may write notifications: %s %s', (role, isOpen) => {
    const refusal = findSelectRefusal('/db/people', 'select=connections_list(name)', [role])
    expect(refusal).toEqual(isOpen ? null : { kind: 'denied', table: 'connections_list' })
  })

  it('names the table, whatever it was called', () => {
    expect(refusalOf('teams(*),x:connections!connections_created_by_fkey(*)')).toEqual({
      kind: 'denied',
      table: 'connections',
    })
    expect(refusalOf('connections_created_by_fkey(*)')).toEqual({ kind: 'denied', table: 'connections' })
    expect(refusalOf('nowhere(*)')).toEqual({ kind: 'unknown', name: 'nowhere' })
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(refusalOf(`${name}(*)`)).toEqual({ kind: 'unknown', name })
    }
  })

  it('lets administrators read what is theirs, and nobody what is the backend’s own', () => {
    const asAdmin = (select: string) => findSelectRefusal('/db/people', `select=${select}`, ['admin'])
    expect(asAdmin('connections(*)')).toBeNull()
    expect(asAdmin('access_tokens(value)')).toEqual({ kind: 'denied', table: 'access_tokens' })
    expect(findSelectRefusal('/db/people', 'select=created_by(id)', [])).toEqual({ kind: 'denied', table: 'people' })
  })

  it.each([
    'select=id&select=connections(*)',
    'sel%65ct=connections%28*%29',
    'id=eq.1;select=connections(*)',
    'select=id;select=connections(*)',
    '?&&select=%20connections%20(*)',
    'select=id,+connections(*)',
    'select.filter=connections(*)',
    'select=%ff,connections(*)',
    'select=%63onnections(%2a)',
  ])('finds the select in %s', (query) => expect(findSelectRefusal('/db/people', query, ['editor'])).not.toBeNull())

  it('bounds brackets within brackets, in filters too', () => {
    const filter = (depth: number) => `and=${'(or'.repeat(depth)}${')'.repeat(depth)}`
    expect(findSelectRefusal('/db/checks', filter(16), ['viewer'])).toBeNull()
    expect(findSelectRefusal('/db/checks', filter(17), ['viewer'])).toEqual({ kind: 'deep' })
    expect(findSelectRefusal('/db/checks', `x=${')'.repeat(50)}${'('.repeat(17)}`, ['viewer'])).toEqual({
      kind: 'deep',
    })
  })

  it('has no opinion on other paths', () => {
    expect(findSelectRefusal('/canary/api/summary', 'select=connections(*)', ['viewer'])).toBeNull()
  })
})
