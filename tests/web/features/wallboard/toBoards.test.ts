import { describe, expect, it } from 'vitest'

import { toBoards } from '../../../../web/src/features/wallboard/toBoards.ts'

const ADDRESS = { boards: '', groupBy: 'no-group', labels: '', query: '' } as const
const saved = (id: string) => ({
  id,
  name: `Board ${id}`,
  filter: { query: '', labels: {} },
  groupBy: 'no-group' as const,
})
const namesOf = ({ boards }: ReturnType<typeof toBoards>) => boards?.map(({ name }) => name)

describe('boards of a wall', () => {
  it('are the one that the address describes', () => {
    expect(namesOf(toBoards(ADDRESS, undefined))).toEqual(['All checks'])
    expect(namesOf(toBoards({ ...ADDRESS, query: 'disk' }, undefined))).toEqual(['“disk”'])
  })

  it('are the saved ones in the order of the address, once it is known which there are', () => {
    const search = { ...ADDRESS, boards: 'b,nope,a' }
    expect(toBoards(search, undefined).boards).toBeNull()
    const found = toBoards(search, [saved('a'), saved('b')])
    expect(namesOf(found)).toEqual(['Board b', 'Board a'])
    expect(found.unknownIds).toEqual(['nope'])
  })

  it('are what the rest of the address describes where nobody saved any of them, and say so', () => {
    const found = toBoards({ ...ADDRESS, boards: 'nope', query: 'disk' }, [saved('a')])
    expect(namesOf(found)).toEqual(['“disk” · no board “nope”'])
    expect(found.boards?.[0].view.filter.query).toBe('disk')
    expect(namesOf(toBoards({ ...ADDRESS, boards: ',' }, []))).toEqual(['All checks'])
  })
})
