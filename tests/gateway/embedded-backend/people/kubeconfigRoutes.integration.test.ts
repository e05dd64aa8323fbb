import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { type BackendAnswer, startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startEmbeddedBackend({ publicUrl: 'https://watch.example:8443' })
})
afterAll(() => backend?.stop())

async function signInAs(role: 'admin' | 'editor' | 'commander'): Promise<Record<string, string>> {
  const { email, password } = await backend.createPerson(role)
  return backend.signIn(email, password)
}
const download = (headers: Record<string, string>): Promise<BackendAnswer> => backend.call('/kubeconfig', { headers })

interface Kubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: { readonly server: string } }[]
  readonly contexts: readonly { readonly name: string; readonly context: unknown }[]
  readonly 'current-context': string
  readonly users: readonly { readonly name: string; readonly user: { username: string; password: string } }[]
}

describe('GET /kubeconfig', () => {
  it('is a file that names this address and signs in as its owner, for ever', async () => {
    const headers = await signInAs('editor')
    const answer = await download(headers)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('text/yaml'),
      'content-disposition': 'attachment; filename=watch.example-kubeconfig.yaml',
      'cache-control': 'no-store',
    })
    const file = parse(answer.text) as Kubeconfig
    expect(file).toMatchObject({
      apiVersion: 'v1',
      clusters: [
        { name: 'mission-control-watch.example', cluster: { server: 'https://watch.example:8443/api/kubeproxy' } },
      ],
      contexts: [{ name: 'default', context: { cluster: 'mission-control-watch.example', user: 'default-user' } }],
      'current-context': 'default',
      users: [{ name: 'default-user', user: { username: 'token' } }],
    })
    const { password } = file.users[0]?.user ?? {}
    expect(password?.split('.')).toHaveLength(5)
    const authorization = `Basic ${Buffer.from(`token:${password}`).toString('base64')}`
    expect((await backend.call('/auth/whoami', { headers: { authorization } })).status).toBe(200)
    const tokens = (await backend.call('/auth/tokens', { headers })).json() as { name: string; expiresAt: unknown }[]
    expect(tokens).toEqual([
      expect.objectContaining({
        name: expect.stringMatching(/^kubeconfig \d{4}-\d\d-\d\d /),
        expiresAt: null,
        role: null,
      }),
    ])
    // A token makes no other.
    expect((await download({ authorization })).status).toBe(403)
  })

  it('is for those who may change what is there, and opened from this address alone', async () => {
    expect((await download({})).status).toBe(401)
    expect((await download(await signInAs('commander'))).status).toBe(403)
    expect((await backend.callAsService('/kubeconfig')).status).toBe(403)
    const headers = await signInAs('admin')
    expect((await download({ ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await backend.call('/auth/tokens', { headers })).json()).toEqual([])
    expect((await download({ ...headers, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})
