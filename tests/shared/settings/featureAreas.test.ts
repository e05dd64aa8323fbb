import { toDisabledAreas } from '@watchroom/shared/settings'
import { describe, expect, it } from 'vitest'

const off = (name: string, value = 'true') => [...toDisabledAreas([{ name, value }])]

describe('toDisabledAreas', () => {
  it('switches an area off by a property with the text true, and by nothing else', () => {
    expect(off('incidents.disable')).toEqual(['incidents'])
    expect(off('incidents.disable', 'yes')).toEqual([])
    expect(off('incidents.disabled')).toEqual([])
    expect(off('unknown.disable')).toEqual([])
  })

  it.each([
    { parent: 'config', children: ['config', 'settings.config_scraper'] },
    { parent: 'topology', children: ['topology', 'settings.topology'] },
    { parent: 'health', children: ['health', 'settings.health', 'settings.job_history'] },
  ])('takes the children of $parent with it', ({ parent, children }) => {
    expect(off(`${parent}.disable`)).toEqual(children)
  })

  it('leaves the parent of a child that is switched off', () => {
    expect(off('settings.health.disable')).toEqual(['settings.health'])
  })
})
