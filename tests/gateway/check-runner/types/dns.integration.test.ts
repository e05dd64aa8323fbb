import type { CheckSpec } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

import { type DnsMood, type DnsZone, startDnsServer } from '#support/dnsServer.ts'
import { buildRunDeps, runToDeadline } from '#support/runDeps.ts'

import { dnsRunner } from '../../../../gateway/src/check-runner/types/dns.ts'

const ZONE: DnsZone = {
  'shop.example A': ['192.0.2.1', '192.0.2.2'],
  'shop.example AAAA': ['2001:db8::1'],
  'www.shop.example CNAME': ['shop.example'],
  'shop.example MX': ['10 mail.shop.example', '20 backup.shop.example'],
  'shop.example NS': ['ns1.shop.example'],
  'shop.example TXT': ['v=spf1 -all'],
  'shop.example SOA': ['ns1.shop.example admin.shop.example 7 3600 600 86400 300'],
  '_api._tcp.shop.example SRV': ['1 5 8443 api.shop.example'],
  '1.2.0.192.in-addr.arpa PTR': ['shop.example'],
}

async function run(spec: Omit<CheckSpec<'dns'>, 'server' | 'port'>, mood?: DnsMood) {
  const { port, questions } = await startDnsServer(ZONE, mood)
  return { outcome: await dnsRunner.run({ server: '127.0.0.1', port, ...spec }, buildRunDeps()), questions }
}

describe('dns runner', () => {
  it.each<[NonNullable<CheckSpec<'dns'>['querytype']>, string, string[]]>([
    ['A', 'shop.example', ['192.0.2.1', '192.0.2.2']],
    ['AAAA', 'shop.example', ['2001:db8::1']],
    ['CNAME', 'www.shop.example', ['shop.example']],
    ['MX', 'shop.example', ['10 mail.shop.example', '20 backup.shop.example']],
    ['NS', 'shop.example', ['ns1.shop.example']],
    ['TXT', 'shop.example', ['v=spf1 -all']],
    ['SOA', 'shop.example', ['ns1.shop.example admin.shop.example 7 3600 600 86400 300']],
    ['SRV', '_api._tcp.shop.example', ['1 5 8443 api.shop.example']],
    ['PTR', '192.0.2.1', ['shop.example']],
  ])('reads %s records', async (querytype, query, records) => {
    const { outcome } = await run({ query, querytype, exactreply: records })
    expect(outcome).toMatchObject({ passed: true, details: { records } })
  })

  it('asks for addresses when no type is given', async () => {
    const { outcome, questions } = await run({ query: 'shop.example' })
    expect(outcome).toMatchObject({ passed: true, message: '2 A records' })
    expect(questions).toEqual(['shop.example A'])
  })

  it('ignores order, case and the final dot', async () => {
    const { outcome } = await run({
      query: 'shop.example',
      querytype: 'MX',
      exactreply: ['20 Backup.shop.example.', '10 mail.shop.example'],
    })
    expect(outcome.passed).toBe(true)
  })

  it.each<[string, Omit<CheckSpec<'dns'>, 'server' | 'port'>, string]>([
    [
      'another answer',
      { query: 'shop.example', exactreply: ['192.0.2.1'] },
      'answered 192.0.2.1, 192.0.2.2, expected 192.0.2.1',
    ],
    ['too few records', { query: 'shop.example', minrecords: 3 }, '2 records, expected at least 3'],
    ['a name that does not exist', { query: 'nowhere.example' }, '0 records, expected at least 1'],
    ['a type that the name has not', { query: 'shop.example', querytype: 'PTR' }, '0 records, expected at least 1'],
  ])('fails on %s', async (_what, spec, error) => {
    expect((await run(spec)).outcome).toMatchObject({ passed: false, error })
  })

  it('passes when nothing is what was expected', async () => {
    expect((await run({ query: 'nowhere.example', exactreply: [] })).outcome.passed).toBe(true)
  })

  it.each<[DnsMood, string]>([
    ['servfail', 'the name server failed (SERVFAIL)'],
    ['refused', 'the name server refused the query'],
  ])('says what a name server in trouble answers: %s', async (mood, error) => {
    expect((await run({ query: 'shop.example' }, mood)).outcome).toMatchObject({ passed: false, error })
  })

  it('gives up at the deadline on a silent name server', async () => {
    const { port } = await startDnsServer(ZONE, 'silent')
    const spec = { server: '127.0.0.1', port, query: 'shop.example' }
    const outcome = await runToDeadline({ type: 'dns', name: 'silent', timeoutMs: 150, spec })
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 150ms' })
  })
})
