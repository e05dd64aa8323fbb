import { type PastTransition, RecordedStructureSchema, toRecordedBursts } from '@watchroom/shared/topology/history'
import { describe, expect, it } from 'vitest'

const part = (id: string, above: string | null, values: object = {}) =>
  [id, RecordedStructureSchema.parse({ name: id, parent_id: above, hidden: false, linked_to: [], ...values })] as const

const leaves = ['l1', 'l2', 'l3', 'l4', 'l5']
const estate = new Map([
  part('shop', null),
  part('area', 'shop'),
  part('group', 'area'),
  part('rack', 'group'),
  part('secret', 'shop', { hidden: true }),
  ...leaves.map((id) => part(id, 'rack')),
  ...leaves.map((id) => part(`s${id}`, 'secret')),
])

const fails = (id: string, at: number): PastTransition => ({
  at: at * 1_000,
  id,
  name: id,
  from: { health: 'healthy', status: '' },
  to: { health: 'unhealthy', status: '' },
})
const page = { id: '', isHiddenShown: false }

describe('recorded bursts', () => {
  it('are those below a card of the page, however deep', () => {
    // What is above them fails with them: that is no change beside theirs.
    const burstsOf = toRecordedBursts(
      estate,
      [...leaves, 'rack', 'group', 'area', 'shop'].map((id, at) => fails(id, at)),
    )
    expect(burstsOf(page).map(({ id, transitions }) => [id, transitions.map((each) => each.id)])).toEqual([
      ['shop', leaves],
    ])
    expect(burstsOf({ ...page, id: 'area' }).map(({ id }) => id)).toEqual(['group'])
    expect(burstsOf({ ...page, id: 'l1' })).toEqual([])
  })

  it('leave out what is hidden from whoever looks, what comes and goes, and another status alone', () => {
    const burstsOf = toRecordedBursts(
      estate,
      leaves.map((id, at) => fails(`s${id}`, at)),
    )
    expect(burstsOf(page)).toEqual([])
    expect(burstsOf({ ...page, isHiddenShown: true }).map(({ id }) => id)).toEqual(['shop'])
    const other = leaves.flatMap((id, at) => [
      { ...fails(id, at), from: null },
      { ...fails(id, at), to: null },
      { ...fails(id, at), from: { health: 'unhealthy' as const, status: 'before' } },
    ])
    expect(toRecordedBursts(estate, other)(page)).toEqual([])
  })
})
