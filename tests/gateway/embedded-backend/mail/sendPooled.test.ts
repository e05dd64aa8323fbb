import { afterEach, describe, expect, it } from 'vitest'

import { type MailServer as TestMailServer, startMailServer } from '#support/mailServer.ts'

import { type MailServer, sendPooled } from '../../../../gateway/src/embedded-backend/mail/sendPooled.ts'

let server: TestMailServer
afterEach(() => server.close())

const where = (): MailServer => {
  const { hostname: host, port } = new URL(server.url)
  return { host, port: Number(port), ignoreTLS: true }
}
const mail = (to: string) => ({ from: 'watch@example.org', to, subject: 'Down', text: 'It is down.' })
const told = (): string[] => server.mails.flatMap(({ recipients }) => recipients).toSorted()

describe('mails of a burst', () => {
  it('go through one connection, one after the other, and at once through at most four', async () => {
    server = await startMailServer()
    for (const to of ['a@example.org', 'b@example.org', 'c@example.org']) await sendPooled(where(), mail(to))
    expect(server.connected()).toBe(1)
    await Promise.all(Array.from({ length: 10 }, (_, at) => sendPooled(where(), mail(`${at}@example.org`))))
    expect(server.connected()).toBeLessThanOrEqual(4)
    expect(server.mails).toHaveLength(13)
  })

  it('go through no connection that someone with other credentials opened', async () => {
    server = await startMailServer()
    await sendPooled({ ...where(), auth: { user: 'watch', pass: 'p@ss' } }, mail('a@example.org'))
    await expect(
      sendPooled({ ...where(), auth: { user: 'watch', pass: 'guessed' } }, mail('b@example.org')),
    ).rejects.toThrow('wrong password')
    expect(told()).toEqual(['a@example.org'])
  })

  it('are given up alone: the others arrive', async () => {
    server = await startMailServer()
    const release = server.hold()
    const stop = new AbortController()
    const given = sendPooled(where(), { ...mail('slow@example.org'), signal: stop.signal })
    const others = ['a', 'b', 'c', 'd', 'e'].map((to) => sendPooled(where(), mail(`${to}@example.org`)))
    await expect.poll(() => server.connected()).toBe(4)
    stop.abort(new Error('it takes too long'))
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    release()
    await Promise.all(others)
    expect(
      told()
        .filter((to) => to !== 'slow@example.org')
        .toSorted(),
    ).toEqual(['a', 'b', 'c', 'd', 'e'].map((to) => `${to}@example.org`))
  })

  it('find a server again that closed the connection in between', async () => {
    server = await startMailServer()
    await sendPooled(where(), mail('a@example.org'))
    const port = Number(new URL(server.url).port)
    await server.close()
    server = await startMailServer({ port })
    await sendPooled(where(), mail('b@example.org'))
    expect(told()).toEqual(['b@example.org'])
  })
})
