import { describe, expect, it } from 'vitest'

import { type ConfinementProbe, decideConfinement } from '../../../gateway/src/executor/decideConfinement.ts'

const USER = { uid: 65_533, gid: 65_533 }
const POSTGRES = new Set([65_534])
/** Everything works, and nothing may be tried that is not expected. */
const probe = (more: Partial<ConfinementProbe>): ConfinementProbe => ({
  platform: 'linux',
  ownUid: 0,
  tryNamespaces: () => Promise.resolve(null),
  tryUser: () => Promise.reject(new Error('not to be tried')),
  ...more,
})
const forbidden = (): Promise<string> => Promise.resolve('Operation not permitted')

describe('decideConfinement', () => {
  it('takes another user and namespaces where root has both', async () => {
    expect(await decideConfinement(probe({}), USER, POSTGRES)).toEqual({ kind: 'user-and-namespaces', uid: 65_533 })
  })

  it('takes the user alone where the kernel gives no namespaces', async () => {
    const only = probe({ tryNamespaces: forbidden, tryUser: () => Promise.resolve(null) })
    expect(await decideConfinement(only, USER, POSTGRES)).toEqual({
      kind: 'user',
      uid: 65_533,
      reason: 'Operation not permitted',
    })
  })

  it('takes namespaces of its own user where it is not root', async () => {
    expect(await decideConfinement(probe({ ownUid: 1_000 }), USER, POSTGRES)).toEqual({ kind: 'namespaces' })
  })

  it.each([
    [
      'an ordinary user without namespaces',
      { ownUid: 1_000, tryNamespaces: forbidden },
      USER,
      'this user cannot make namespaces: Operation not permitted',
    ],
    [
      'another system',
      { platform: 'darwin' as const },
      USER,
      'there is nothing to confine them with on darwin, only on Linux',
    ],
    ['root as the user', {}, { uid: 0, gid: 0 }, 'WATCHROOM_EXEC_USER is root'],
    [
      'the user of PostgreSQL',
      {},
      { uid: 65_534, gid: 65_534 },
      'WATCHROOM_EXEC_USER is 65534, the user that PostgreSQL runs as',
    ],
    [
      'a root that cannot become someone',
      { tryNamespaces: forbidden, tryUser: forbidden },
      USER,
      'they cannot be run as the user 65533: Operation not permitted',
    ],
  ])('runs nothing with %s', async (_, more, user, reason) => {
    expect(await decideConfinement(probe(more), user, POSTGRES)).toEqual({ kind: 'off', reason })
  })
})
