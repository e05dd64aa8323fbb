// Messages as earlier versions of gateway and browser put them on the wire. Samples are only ever added: a reader of today
// must read yesterday's messages.
import { ClientMessageSchema, HelloSchema, RefusalSchema, ServerMessageSchema } from '@watchroom/shared/protocol'
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

describe('wire samples of the live protocol', () => {
  it.each(SERVER_MESSAGES)('the browser reads %s', (text) => {
    expect(ServerMessageSchema.parse(JSON.parse(text))).toEqual(JSON.parse(text))
  })

  it.each(CLIENT_MESSAGES)('the gateway reads %s', (text) => {
    expect(ClientMessageSchema.parse(JSON.parse(text))).toEqual(JSON.parse(text))
  })

  it('both read the handshake', () => {
    expect(HelloSchema.parse({ versions: [1], encodings: ['deflate-raw'] })).toBeDefined()
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
