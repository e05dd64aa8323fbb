import { tryParseWake, WAKE_CHANNEL } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { expect, it } from 'vitest'

import { listFiles, readText } from './sources.ts'

/** What triggers say on the channel: the argument of the one function, or the beginning of a payload. */
const SAID = new RegExp(
  String.raw`notify_topic\('([^']*)'\)|pg_notify\('${WAKE_CHANNEL}', '([^']*)'|notify ${WAKE_CHANNEL}, '([^']*)'`,
  'g',
)

const said = listFiles('gateway/src/embedded-backend/schema/migrations', /\.sql$/).flatMap((path) =>
  [...readText(path).matchAll(SAID)].map((match) => ({ path, payload: match[1] ?? match[2] ?? match[3] ?? '' })),
)

it('triggers wake the gateway by names that it knows', () => {
  expect(said.length).toBeGreaterThanOrEqual(4)
  expect(said.filter(({ payload }) => tryParseWake(payload) === null)).toEqual([])
})

it('triggers of every table of settings wake its topic', () => {
  const tables = said.flatMap(({ payload }) =>
    payload.startsWith('settings:') ? [payload.slice('settings:'.length)] : [],
  )
  expect([...new Set(tables)].toSorted()).toEqual(Object.keys(SETTINGS_RESOURCES).toSorted())
})
