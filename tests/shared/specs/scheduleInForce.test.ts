import { scheduleInForce } from '@watchroom/shared/specs'
import { describe, expect, it } from 'vitest'

describe('the schedule that a row of settings runs by', () => {
  it.each([
    ['canaries', '@every 60s'],
    ['config_scrapers', '@every 30m'],
    ['topologies', '@every 10m'],
  ])('of %s is %s where nothing says another', (table, schedule) => {
    expect(scheduleInForce(table, {})).toBe(schedule)
    expect(scheduleInForce(table, { schedule: '', interval: null, spec: { schedule: 5 } })).toBe(schedule)
  })

  it('is the one beside the spec, else that of the spec, else the interval', () => {
    const row = { schedule: '@hourly', spec: { schedule: '@daily' }, interval: '30' }
    expect(scheduleInForce('topologies', row)).toBe('@hourly')
    expect(scheduleInForce('topologies', { ...row, schedule: null })).toBe('@daily')
    expect(scheduleInForce('canaries', { interval: '30' })).toBe('@every 30s')
    expect(scheduleInForce('canaries', { interval: '5m' })).toBe('@every 5m')
  })

  it('is none where nothing runs', () => {
    expect(scheduleInForce('teams', { spec: {} })).toBeNull()
    expect(scheduleInForce('constructor', {})).toBeNull()
  })
})
