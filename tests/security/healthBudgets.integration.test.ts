// What one writer of checks can make everyone carry: labels by the thousand, definitions without end, expressions that build.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { CheckSummaryResponseSchema, TryChecksResponseSchema } from '@watchroom/shared/health'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'

let backend: TestBackend
let gateway: RunningGateway
let target: Server
let url: string
let headers: Record<string, string>

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  const { email, password } = await backend.createPerson('editor')
  headers = { ...(await backend.signIn(email, password)), 'content-type': 'application/json' }
  target = createServer((_, response) => response.end(JSON.stringify({ items: Array.from({ length: 3_000 }, String) })))
  await once(target.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
})
afterAll(async () => {
  target?.close()
  await gateway?.stop()
  await backend?.stop()
})

const post = (path: string, body: unknown) =>
  fetch(`${gateway.url}/api${path}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, `v ${at}`]))

describe('a writer of checks', () => {
  it('cannot give everyone thousands of labels, on the canary or on a check', async () => {
    const canary = { name: 'many', namespace: 'x', labels: many(20_000), spec: { http: [{ name: 'a', url }] } }
    const refused = await post('/db/canaries', canary)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('at most 100')
    const inside = { name: 'inside', namespace: 'x', spec: { http: [{ name: 'a', url, labels: many(5_000) }] } }
    expect((await post('/db/canaries', inside)).status).toBe(201)
    const rowOf = async () => {
      const answer = await backend.callAsService('/canary/api/summary')
      const rows = CheckSummaryResponseSchema.parse(answer.json()).checks_summary as {
        canary_name: string
        labels: object
        last_error?: string
      }[]
      return rows.find(({ canary_name: name }) => name === 'inside')
    }
    // Stored as it was written, and shown as broken with the reason.
    await expect.poll(async () => (await rowOf())?.last_error).toContain('at most 100 labels are kept')
    expect(Object.keys((await rowOf())?.labels ?? {}).length).toBeLessThanOrEqual(100)
  })

  it('cannot save or try a definition that is nested without end', async () => {
    const toDeep = (levels: number): string => `{"http":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect((await post('/canary/api/try', `{"spec":${toDeep(5_000)}}`)).status).toBe(400)
    // Not so deep that any body is refused for it, whatever it is.
    const deep = toDeep(45)
    const saved = await post('/db/canaries', `{"name":"deep","namespace":"x","spec":${deep}}`)
    expect(saved.status).toBe(400)
    const tried = await post('/canary/api/try', `{"spec":${deep}}`)
    const answer = await tried.text()
    expect(answer).toContain('http')
    expect(answer).toContain('nested deeper')
  })

  it('cannot have expressions build what the product runs out of', async () => {
    const doubling = `json.items.map(x, [x])${'.map(x, x + x)'.repeat(24)}.size() > 0`
    const tried = await post('/canary/api/try', {
      spec: {
        http: [
          { name: 'builds', url, test: { expr: doubling } },
          { name: 'looks', url, test: { expr: 'json.items.size() == 3000' } },
        ],
      },
    })
    const { checks } = TryChecksResponseSchema.parse(await tried.json())
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['builds', false],
      ['looks', true],
    ])
    expect(checks[0]?.error).toMatch(/too much memory|takes too long/)
    expect((await backend.callAsService('/canary/api/summary')).status).toBe(200)
  })
})
