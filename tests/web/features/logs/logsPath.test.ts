import { describe, expect, it } from 'vitest'

import { evidencePath } from '../../../../web/src/features/logs/logsPath.ts'

const ID = '018f0000-0000-7000-8000-0000000000c1'
const path = (evidence: unknown, id: string | null = ID): string | null => evidencePath({ component_id: id, evidence })

describe('the way from evidence back to its lines', () => {
  it('marks them among those around them', () => {
    const lines = [{ id: 'a/1', message: 'x' }, { id: 'a/2' }, { id: 'a/3' }]
    expect(path({ lines, selector: 'access log' })).toBe(
      `/logs?around=a%2F1&line=a%2F1&lineTo=a%2F3&logsSelector=access+log&topologyId=${ID}`,
    )
    expect(path({ lines: lines.slice(0, 1) })).toBe(`/logs?around=a%2F1&line=a%2F1&topologyId=${ID}`)
  })

  it('leads to their time where their ids were not kept', () => {
    const lines = [{ timestamp: '2026-03-01T06:00:00Z' }, { timestamp: '2026-03-01T06:10:00Z' }]
    const search = new URLSearchParams(path({ lines })?.split('?')[1])
    expect([search.get('rangeType'), search.get('from'), search.get('to')]).toEqual([
      'absolute',
      '2026-03-01T05:59:00.000Z',
      '2026-03-01T06:11:00.000Z',
    ])
  })

  it('leads to the component alone where nothing else is known, and nowhere without one', () => {
    expect(path({ lines: [{ message: 'x' }] })).toBe(`/logs?topologyId=${ID}`)
    expect(path({ lines: [{ id: 'a' }] }, null)).toBeNull()
    expect(path({ lines: [] })).toBeNull()
    expect(path('nonsense')).toBeNull()
  })
})
