import { createServer } from 'node:http'

import { expect, it, onTestFinished } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { listen } from '#support/listen.ts'

import { createUpstream } from '../../../gateway/src/agent/createUpstream.ts'

it('sends nothing that no database takes: a server of the real product would refuse it for good', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString())
      response.end()
    })
  })
  const upstream = createUpstream({
    url: `http://127.0.0.1:${await listen(server)}`,
    token: 't',
    name: 'edge',
    clock: new FakeClock(),
    toPlainBody: ({ check_statuses: results = [], playbook_actions: steps = [] }) => ({
      check_statuses: results,
      playbook_actions: steps,
    }),
  })
  onTestFinished(() => upstream.close())
  const time = '2026-01-01T00:00:00.000Z'
  await upstream.push({
    check_statuses: [{ check_id: 'c', time, status: false, message: 'a\0b', details: { 'k\0': '\ud800' } }],
    playbook_actions: [{ id: 's', status: 'completed', end_time: time, result: { stdout: 'x\0' }, error: null }],
  })
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
    {
      check_statuses: [{ check_id: 'c', time, status: false, message: 'ab', details: { k: '\ufffd' } }],
      playbook_actions: [{ id: 's', status: 'completed', end_time: time, result: { stdout: 'x' }, error: null }],
    },
  ])
})

it.each([
  ['fails at what it is sent', 500, '', 'AGENT_PUSH_FAILED'],
  ['is away behind a proxy', 502, '', 'AGENT_UPSTREAM_AWAY'],
  ['is away behind a proxy', 503, '', 'AGENT_UPSTREAM_AWAY'],
  ['is away behind a proxy', 504, '', 'AGENT_UPSTREAM_AWAY'],
  ['cannot read what it is sent', 400, '{"error":"bad row"}', 'AGENT_PUSH_REFUSED'],
  ['knows the token for none', 400, 'invalid access token', 'AGENT_TOKEN_REFUSED'],
  ['knows the token for none', 400, 'invalid access token format', 'AGENT_TOKEN_REFUSED'],
])('tells what an upstream means that %s: %i %s', async (_what, status, text, code) => {
  const server = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(status).end(text)),
  )
  const upstream = createUpstream({
    url: `http://127.0.0.1:${await listen(server)}`,
    token: 't',
    name: 'edge',
    clock: new FakeClock(),
    toPlainBody: () => ({}),
  })
  onTestFinished(() => upstream.close())
  await expect(upstream.push({})).rejects.toMatchObject({ code })
})
