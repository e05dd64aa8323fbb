// Messages as earlier versions of gateway and browser put them on the wire. Samples are only ever added: a reader of today
// must read yesterday's messages.
import {
  ClientMessageSchema,
  HelloSchema,
  PACKED_ENCODING,
  PackedRowsSchema,
  RefusalSchema,
  ServerMessageSchema,
  unpackRows,
} from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

const SERVER_MESSAGES = [
  '{"type":"welcome","version":1,"now":1767225600000,"beatMs":2000}',
  '{"type":"beat","now":1767225602000}',
  '{"type":"snapshot","id":"s1","epoch":"5d0c7f1a","offset":12,"asOf":1767225600000,"now":1767225600100,"freshForMs":9500,"page":0,"pages":1,"rows":[{"id":"a","canary_id":"c","canary_name":"n","canary_namespace":"default","name":"check","type":"http","labels":{},"uptime":{"passed":1,"failed":0},"latency":{"p95":12}}]}',
  '{"type":"delta","id":"s1","epoch":"5d0c7f1a","from":12,"to":15,"ops":[{"op":"upsert","key":"a","set":{"status":"unhealthy"},"unset":["last_error"]},{"op":"remove","key":"b"},{"op":"upsert","key":"c","set":{"id":"c"},"whole":true}],"asOf":1767225601000}',
  '{"type":"heartbeat","id":"s1","epoch":"5d0c7f1a","offset":15,"asOf":1767225601000,"now":1767225602000}',
  '{"type":"source","id":"s1","problem":{"code":"POLLING_UPSTREAM_UNAVAILABLE","message":"The backend does not answer","consecutiveFailures":3,"nextAttemptAt":1767225606000},"now":1767225602000}',
  '{"type":"source","id":"s1","problem":null,"now":1767225602000}',
  '{"type":"denied","id":"s1","code":"LIVE_TOPIC_FORBIDDEN","message":"You do not have permission to see this"}',
  '{"type":"bye","code":4503,"message":"The server restarts","retryMs":412}',
]

const CLIENT_MESSAGES = [
  '{"type":"subscribe","id":"s1","topic":"checks","params":{}}',
  '{"type":"subscribe","id":"s2","topic":"checks","params":{},"since":{"epoch":"5d0c7f1a","offset":15}}',
  '{"type":"unsubscribe","id":"s1"}',
  '{"type":"refresh","id":"s1"}',
]

/** The same rows by column, as they were written for `deflate-raw` and then for `deflate-columns`. */
const PACKED_ROWS = [
  '[{"at":[0,2,3,4],"rows":{"f":["id","name","ran_at","next_at","passed"],"c":[{"u":"AAAREaqqERH//8zMMzNERCIiRESIiKqqRES7u3d3VVWIiN3dzMzu7iIiMzN3dyIiRESqqnd3IiL/////iIh4mg","n":4},{"v":["web 1","web 2","web 3","web 12"]},{"t":[0,1100,1900,1900],"b":1767225600100},{"t":[30000,30000,30000,30000],"r":0},{"v":[3,4,4,4]}],"n":4}},{"at":[1],"rows":{"f":["id","labels"],"c":[{"v":["b"]},{"f":["app"],"c":[{"v":["x"]}],"n":1}],"n":1}}]',
  '[{"of":[0,1,1,3],"rows":{"f":["id","name","ran_at","next_at","passed"],"c":[{"u":"AAAREaqqERH//8zMMzNERCIiRESIiKqqRES7u3d3VVWIiN3dzMzu7iIiMzN3dyIiRESqqnd3IiL/////iIh4mg","n":4},{"x":{"q":{"v":["web \u007f"]},"w":[4]},"d":[{"i":{"t":[0,1,2,11],"b":1}}]},{"t":[0,11,19,19],"m":100,"b":1767225600100},{"t":[30,30,30,30],"m":1000,"r":1},{"q":{"i":{"t":[0,1],"b":3}},"w":[1,3]}],"n":4}},{"of":[1,1],"rows":{"f":["id","labels"],"c":[{"v":["b"]},{"f":["app"],"c":[{"v":["x"]}],"n":1}],"n":1}}]',
]
const run = (digit: string, name: string, ranAt: string, passed: number): object => ({
  id: `01a1fc34-248a-4b75-8dce-23724a72ff8${digit}`,
  name,
  ran_at: `2026-01-01T00:00:${ranAt}Z`,
  next_at: `2026-01-01T00:00:${Number(ranAt.slice(0, 2)) + 30}${ranAt.slice(2)}Z`,
  passed,
})
const UNPACKED_ROWS = [
  run('7', 'web 1', '00.100', 3),
  { id: 'b', labels: { app: 'x' } },
  run('8', 'web 2', '01.200', 4),
  run('9', 'web 3', '02.000', 4),
  run('a', 'web 12', '02.000', 4),
]

describe('wire samples of the live protocol', () => {
  it.each(PACKED_ROWS)('the browser unpacks %s', (text) => {
    expect(unpackRows(PackedRowsSchema.parse(JSON.parse(text)))).toEqual(UNPACKED_ROWS)
  })

  it.each(SERVER_MESSAGES)('the browser reads %s', (text) => {
    expect(ServerMessageSchema.parse(JSON.parse(text))).toEqual(JSON.parse(text))
  })

  it.each(CLIENT_MESSAGES)('the gateway reads %s', (text) => {
    expect(ClientMessageSchema.parse(JSON.parse(text))).toEqual(JSON.parse(text))
  })

  it('both read the handshake', () => {
    expect(HelloSchema.parse({ versions: [1], encodings: ['deflate-raw'] })).toBeDefined()
    expect(HelloSchema.parse({ versions: [1], encodings: ['deflate-columns'] }).encodings).toContain(PACKED_ENCODING)
    expect(HelloSchema.parse({ versions: [1] }).encodings).toEqual([])
    expect(RefusalSchema.parse({ code: 4401, message: 'Sign in to continue' })).toBeDefined()
  })

  it('the browser reads packed messages as either kind of bytes', () => {
    const data = new Uint8Array([1])
    expect(ServerMessageSchema.safeParse({ type: 'packed', id: 's1', data }).success).toBe(true)
    expect(ServerMessageSchema.safeParse({ type: 'packed', id: 's1', data: data.buffer }).success).toBe(true)
    expect(ServerMessageSchema.safeParse({ type: 'packed', id: 's1', data: 'AQ==' }).success).toBe(false)
  })
})
