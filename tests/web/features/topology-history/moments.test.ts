import { expect, it } from 'vitest'

import {
  momentsAround,
  nextMoment,
  previousMoment,
  toMoments,
} from '../../../../web/src/features/topology-history/moments.ts'

const moment = (health: 'healthy' | 'unhealthy', status = '') => ({ health, status })

it('puts what happened in order of time, in words, and leaves out what has no time', () => {
  const moments = toMoments({
    transitions: [
      { at: 3_000, id: 'a', name: 'web', from: moment('healthy'), to: moment('unhealthy') },
      { at: 1_000, id: 'b', name: 'db', from: null, to: moment('healthy') },
      { at: 5_000, id: 'b', name: 'db', from: moment('healthy'), to: null },
      { at: 4_000, id: 'a', name: 'web', from: moment('healthy', 'Up'), to: moment('healthy') },
    ],
    incidents: [
      { id: 'i', title: 'No orders', created_at: '1970-01-01T00:00:02Z' },
      { id: 'j', title: 'x', created_at: 'never' },
    ],
    changes: [{ id: 'c', name: 'pod', change_type: 'diff', created_at: '1970-01-01T00:00:02.500' }],
  })
  expect(moments.map(({ at, kind, text }) => [at, kind, text])).toEqual([
    [1_000, 'Component', 'db appeared, healthy'],
    [2_000, 'Incident', 'Incident began: No orders'],
    [2_500, 'Change', 'pod: diff'],
    [3_000, 'Component', 'web: healthy → unhealthy'],
    [4_000, 'Component', 'web: Up → no status'],
    [5_000, 'Component', 'db went away'],
  ])
  expect([nextMoment(moments, 3_000), previousMoment(moments, 3_000)]).toEqual([4_000, 2_500])
  expect([nextMoment(moments, 5_000), previousMoment(moments, 1_000)]).toEqual([undefined, undefined])
})

it('finds the ones around an instant, as many as are asked for wherever it is', () => {
  const transitions = Array.from({ length: 10 }, (_, at) => ({ at, id: 'a', name: 'a', from: null, to: null }))
  const moments = toMoments({ transitions: [...transitions, ...transitions], incidents: [], changes: [] })
  const around = (at: number, most = 4) => momentsAround(moments, at, most).map((one) => one.at)
  expect([around(-5), around(5), around(99)]).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [6, 7, 8, 9],
  ])
  expect(around(5, 20)).toHaveLength(10)
})
