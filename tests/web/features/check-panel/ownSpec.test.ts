import { describe, expect, it } from 'vitest'

import { toOwnSpec } from '../../../../web/src/features/check-panel/ownSpec.ts'

const home = { name: 'home', url: 'https://a.example' }
const shop = { name: 'shop', url: 'https://b.example', labels: { team: 'web' } }

describe('toOwnSpec', () => {
  it('is the check’s own entry with what it takes over from its canary, and nothing of its neighbors', () => {
    const canary = { interval: 30, schedule: '', severity: 'high', http: [home, shop], tcp: [{ name: 'shop' }] }
    expect(toOwnSpec({ name: 'shop', type: 'http' }, canary)).toEqual({ interval: 30, severity: 'high', http: [shop] })
  })

  it('finds a check without a name when it is the only one of its type', () => {
    const canary = { http: [{ url: 'https://a.example' }] }
    expect(toOwnSpec({ name: 'https://a.example', type: 'http' }, canary)).toEqual(canary)
  })

  it('takes the stored specification of an inline check, which its canary does not list', () => {
    expect(toOwnSpec({ name: 'db', type: 'postgres', spec: { query: 'select 1' } }, { topology: true })).toEqual({
      postgres: [{ query: 'select 1' }],
    })
    expect(toOwnSpec({ name: 'db', type: 'postgres', spec: { query: 'select 1' } }, undefined)).not.toBeNull()
  })

  it('is nothing when nobody knows it', () => {
    expect(toOwnSpec({ name: 'db', type: 'http', spec: null }, { http: [home, shop] })).toBeNull()
    expect(toOwnSpec({ name: 'db', type: 'http', spec: {} }, null)).toBeNull()
  })
})
