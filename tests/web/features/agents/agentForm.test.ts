import { describe, expect, it } from 'vitest'

import {
  findErrors,
  hasErrors,
  isSameProperties,
  NEW_AGENT,
  nextRowId,
  SCRAPE_INTERVALS,
  toExclusions,
  toProperties,
  toRows,
} from '../../../../web/src/features/agents/agentForm.ts'

const row = (rowId: number, key: string, value = '') => ({ rowId, key, value })

describe('the form of an agent', () => {
  it('starts with Kubernetes disabled at 30m, of the nine intervals, and telemetry disabled', () => {
    expect(NEW_AGENT.kubernetes).toEqual({ enabled: false, interval: '30m', exclusions: '' })
    expect(NEW_AGENT.telemetry).toEqual({ enabled: false, label: '' })
    expect(SCRAPE_INTERVALS).toEqual(['1m', '5m', '10m', '30m', '1h', '2h', '6h', '12h', '24h'])
  })

  it('needs a name, and a label once telemetry is enabled', () => {
    expect(findErrors({ ...NEW_AGENT, name: '  ' }).name).toBe('This field is required')
    const errors = findErrors({ ...NEW_AGENT, name: 'a', telemetry: { enabled: true, label: ' ' } })
    expect(errors).toMatchObject({ label: 'This field is required' })
    expect(errors.name).toBeUndefined()
    expect(hasErrors(findErrors({ ...NEW_AGENT, name: 'a' }))).toBe(false)
  })

  it('needs a key for each value, and each key once; empty rows are no matter', () => {
    const { properties } = findErrors({
      ...NEW_AGENT,
      name: 'a',
      properties: [row(1, '', 'x'), row(2, 'a'), row(3, ' a '), row(4, ''), row(5, 'b')],
    })
    expect([...properties]).toEqual([
      [1, 'This field is required'],
      [3, 'This key is already there'],
    ])
  })

  it('turns properties into rows and back', () => {
    const rows = toRows({ a: '1', b: '' })
    expect(toProperties([...rows, row(nextRowId(rows), ' c ', '3'), row(9, '', '')])).toEqual({ a: '1', b: '', c: '3' })
    expect(toRows(null)).toEqual([])
    expect(nextRowId([])).toBe(1)
  })

  it('reads exclusions between commas, spaces and lines, each once', () => {
    expect(toExclusions(' Secret, Event\nevents.k8s.io,,Secret ')).toEqual(['Secret', 'Event', 'events.k8s.io'])
    expect(toExclusions(' , ')).toEqual([])
  })

  it('compares properties whatever their order', () => {
    expect(isSameProperties({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true)
    expect(isSameProperties({ a: '1' }, { a: '2' })).toBe(false)
    expect(isSameProperties({ a: '1' }, { a: '1', b: '2' })).toBe(false)
    expect(isSameProperties(null, {})).toBe(true)
  })
})
