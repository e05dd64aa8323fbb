import { createStore } from 'jotai'
import { afterEach, describe, expect, it } from 'vitest'

import { PanelSearchSchema } from '../../../../web/src/features/topology/panel/search.ts'
import { cardWidthAtom } from '../../../../web/src/features/topology/preferences.ts'
import { CardSearchSchema, TopologySearchSchema } from '../../../../web/src/features/topology/search.ts'

const ID = '018f0000-0000-7000-8000-0000000000a1'

const GOOD = {
  status: 'unhealthy',
  type: 'Service',
  team: 'Web team',
  labels: 'tier=1,zone=a',
  agent_id: ID,
  showHiddenComponents: 'yes',
  sortBy: 'field:orders',
  sortOrder: 'asc',
  refererId: ID,
}

describe('the address of the topology', () => {
  it('has the defaults of the specification', () => {
    expect(TopologySearchSchema.parse({})).toMatchObject({ status: '', showHiddenComponents: '', sortBy: '' })
    expect(CardSearchSchema.parse({ id: ID })).toEqual({ id: ID, size: 'large' })
    expect(PanelSearchSchema.parse({})).toEqual({
      panel: 'details',
      checkId: '',
      incidentType: 'all',
      incidentStatus: 'unresolved',
    })
  })

  it.each([
    ['labels', 'tier'],
    ['agent_id', 'edge'],
    ['showHiddenComponents', 'maybe'],
    ['sortBy', 'field:'],
    ['sortBy', 'cost'],
    ['sortOrder', 'up'],
    ['refererId', "'; drop table"],
    ['status', ['a', 'b']],
  ])('falls back for %s alone when it is nonsense: %j', (key, value) => {
    expect(TopologySearchSchema.parse(GOOD)).toEqual(GOOD)
    expect(TopologySearchSchema.parse({ ...GOOD, [key]: value })).toEqual({ ...GOOD, [key]: '' })
  })

  it('takes `All` of other consoles for no filter', () => {
    const all = { status: 'All', type: 'All', team: 'All' }
    expect(TopologySearchSchema.parse({ ...GOOD, ...all })).toEqual({ ...GOOD, status: '', type: '', team: '' })
  })

  it('falls back for the panel and the size of a card, too', () => {
    const good = { panel: 'runs', checkId: ID, incidentType: 'cost', incidentStatus: 'closed' }
    expect(PanelSearchSchema.parse(good)).toEqual(good)
    expect(PanelSearchSchema.parse({ ...good, panel: 'nonsense' })).toEqual({ ...good, panel: 'details' })
    expect(PanelSearchSchema.parse({ ...good, incidentStatus: 'x' })).toEqual({ ...good, incidentStatus: 'unresolved' })
    expect(CardSearchSchema.parse({ id: ID, size: '9999' })).toEqual({ id: ID, size: 'large' })
  })
})

describe('the stored width of cards', () => {
  afterEach(() => localStorage.clear())

  it.each([
    [9_999, 768],
    [-1, 250],
    [401, 402],
    ['554px', 554],
    ['wide', 554],
    [null, 554],
  ])('of %j is %i', (value, width) => {
    localStorage.setItem('topology_card_width', JSON.stringify({ v: 1, value }))
    const store = createStore()
    // Read when it is first watched, as a page does.
    const leave = store.sub(cardWidthAtom, () => undefined)
    expect(store.get(cardWidthAtom)).toBe(width)
    leave()
  })
})
