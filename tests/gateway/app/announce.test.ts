import { describe, expect, it } from 'vitest'

import { addressOf, listenProblem, readyText, warningsOf } from '../../../gateway/src/app/announce.ts'
import { parseConfig } from '../../../gateway/src/app/config.ts'

const config = (env: Record<string, string> = {}) => parseConfig({ WATCHROOM_DATA: '/data', ...env }, [])
const URL = 'http://127.0.0.1:3000'

describe('readyText', () => {
  it('says how to sign in the first time', () => {
    const text = readyText(URL, config(), {
      firstAdmin: { email: 'a@b.c', password: 'random' },
      signInPath: '/kratos/self-service/recovery?token=t',
    })
    expect(text).toBe(
      [
        `Watchroom is ready: ${URL}`,
        'Sign in as a@b.c with the password random',
        'The password is shown this once; it is also in /data/first-admin',
        `Or open this link, it works once, within 15 minutes: ${URL}/api/kratos/self-service/recovery?token=t`,
        '',
      ].join('\n'),
    )
  })

  it('does not repeat a password that the operator chose', () => {
    const text = readyText(URL, config({ WATCHROOM_ADMIN_PASSWORD: 'chosen-one' }), { firstAdmin: { email: 'a@b.c' } })
    expect(text).toContain('with the password from WATCHROOM_ADMIN_PASSWORD')
    expect(text).not.toContain('chosen-one')
  })

  it('names the address at which people open it, and the one where it listens', () => {
    const env = { WATCHROOM_PUBLIC_URL: 'https://watch.test/, https://other.test' }
    expect(readyText(URL, config(env), { signInPath: '/kratos/x' })).toBe(
      [
        'Watchroom is ready: https://watch.test',
        `Listening on ${URL}`,
        'Or open this link, it works once, within 15 minutes: https://watch.test/api/kratos/x',
        '',
      ].join('\n'),
    )
    expect(readyText(URL, config({ WATCHROOM_PUBLIC_URL: URL }), {})).toBe(`Watchroom is ready: ${URL}\n`)
  })

  it('says why what executes programs does not run here', () => {
    expect(readyText(URL, config(), { programRefusal: 'this user cannot make namespaces' })).toBe(
      `Watchroom is ready: ${URL}\nExec checks do not run here: this user cannot make namespaces\n`,
    )
  })

  it('names the provider with which people sign in, and no password that nobody can type', () => {
    const hosted = config({
      WATCHROOM_AUTH: 'hosted',
      WATCHROOM_OIDC_ISSUER: 'https://id.test',
      WATCHROOM_OIDC_CLIENT_ID: 'watchroom',
    })
    const words = { firstAdmin: { email: 'a@b.c', password: 'random' }, demoPassword: 'demo', signInPath: '/kratos/x' }
    expect(readyText(URL, hosted, words)).toBe(`Watchroom is ready: ${URL}\nPeople sign in with https://id.test\n`)
  })

  it('says with AUTH=none that nobody signs in, and prints no password and no link', () => {
    const words = { firstAdmin: { email: 'a@b.c', password: 'random' }, demoPassword: 'demo', signInPath: '/kratos/x' }
    const none = config({ WATCHROOM_AUTH: 'none' })
    expect(readyText(URL, none, words)).toBe(
      [
        `Watchroom is ready: ${URL}`,
        'Nobody signs in: everyone who reaches this address is an editor (WATCHROOM_AUTH=none)',
        "The administrator's password, for WATCHROOM_AUTH=session, is in /data/first-admin",
        '',
      ].join('\n'),
    )
    expect(readyText(URL, none, {}).split('\n')).toHaveLength(3)
  })

  it('is one line later on', () => {
    expect(readyText(URL, config(), {})).toBe(`Watchroom is ready: ${URL}\n`)
  })
})

describe('warningsOf', () => {
  it('is silent on this machine, and behind a proxy that is named', () => {
    expect(warningsOf(config())).toEqual([])
    expect(warningsOf(config({ WATCHROOM_HOST: '::1' }))).toEqual([])
    const proxied = { WATCHROOM_HOST: '0.0.0.0', WATCHROOM_TRUSTED_PROXY: '10.0.0.1', WATCHROOM_PROFILE: 'empty' }
    expect(warningsOf(config({ ...proxied, WATCHROOM_PUBLIC_URL: 'https://watch.test' }))).toEqual([])
    expect(warningsOf(config(proxied))).toEqual([expect.stringContaining('WATCHROOM_PUBLIC_URL') as string])
  })

  it('names what is open', () => {
    expect(
      warningsOf(config({ WATCHROOM_HOST: '0.0.0.0', WATCHROOM_AUTH: 'none', BACKEND_URL: 'http://b' })),
    ).toHaveLength(4)
  })
})

describe('listenProblem', () => {
  it.each(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'])('explains %s in one sentence', (code) => {
    const problem = listenProblem(Object.assign(new Error(code), { code }), { host: '127.0.0.1', port: 80 })
    expect(problem).toMatch(/^[^\n]+\.$/)
    expect(problem).not.toContain(code)
  })

  it('leaves other errors alone', () => {
    expect(listenProblem(new Error('x'), { host: 'h', port: 1 })).toBeUndefined()
  })
})

describe('addressOf', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://127.0.0.1:3000'],
    ['::1', 'http://[::1]:3000'],
    ['watch.test', 'http://watch.test:3000'],
  ])('of %s is %s', (host, address) => {
    expect(addressOf(host, 3000)).toBe(address)
  })
})
