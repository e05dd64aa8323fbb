import { type GroupBy, groupChecks, toLabelKeys, tryParseGroupBy } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'

const checks = [
  buildFacts({ id: '1', name: 'shop/cart', canary_name: 'shop', type: 'http', labels: { team: 'a', tier: '1' } }),
  buildFacts({ id: '2', name: 'shop/pay', canary_name: 'shop', type: 'tcp', labels: { team: 'b' } }),
  buildFacts({
    id: '3',
    name: 'mail/send',
    canary_name: 'mail',
    type: 'http',
    description: 'Sends',
    labels: { team: 'a' },
  }),
  buildFacts({ id: '4', name: 'ping', canary_name: '', type: 'icmp' }),
]

function outline(groupBy: GroupBy) {
  return groupChecks(checks, groupBy).map((group) => [group.title, group.members.map((member) => member.title)])
}

describe('groupChecks', () => {
  it('groups by canary name, the nameless together', () => {
    expect(outline('canary_name')).toEqual([
      ['shop', ['shop/cart', 'shop/pay']],
      ['mail', ['mail/send']],
      ['(none)', ['ping']],
    ])
  })

  it('groups by the text before the first slash and shows the rest', () => {
    expect(outline('name')).toEqual([
      ['shop', ['cart', 'pay']],
      ['mail/send', ['mail/send']],
      ['ping', ['ping']],
    ])
  })

  it('does not split on a slash at an end of the name', () => {
    const odd = [
      buildFacts({ id: '1', name: '/a' }),
      buildFacts({ id: '2', name: 'b/' }),
      buildFacts({ id: '3', name: 'c/d/e' }),
      buildFacts({ id: '4', name: 'c/f' }),
    ]
    expect(groupChecks(odd, 'name').map((group) => [group.title, group.members.map((member) => member.title)])).toEqual(
      [
        ['/a', ['/a']],
        ['b/', ['b/']],
        ['c', ['d/e', 'f']],
      ],
    )
  })

  it('groups by description and by type', () => {
    expect(outline('description')).toEqual([
      ['(none)', ['shop/cart', 'shop/pay', 'ping']],
      ['Sends', ['mail/send']],
    ])
    expect(outline('type').map(([title]) => title)).toEqual(['http', 'tcp', 'icmp'])
  })

  it('groups by a label key, checks without it as Others', () => {
    expect(outline('label:team')).toEqual([
      ['a', ['shop/cart', 'mail/send']],
      ['b', ['shop/pay']],
      ['Others', ['ping']],
    ])
  })

  it('makes every check its own group without grouping, even when two have the same name', () => {
    const twins = [buildFacts({ id: '1', name: 'same' }), buildFacts({ id: '2', name: 'same' })]
    expect(groupChecks(twins, 'no-group').map((group) => group.key)).toEqual(['1', '2'])
  })
})

describe('tryParseGroupBy', () => {
  it.each(['no-group', 'canary_name', 'name', 'description', 'type', 'label:team', 'label:name'])(
    'accepts %s',
    (text) => {
      expect(tryParseGroupBy(text)).toBe(text)
    },
  )

  it.each(['', 'label:', 'team', 'canary'])('refuses %j', (text) => {
    expect(tryParseGroupBy(text)).toBeNull()
  })
})

describe('toLabelKeys', () => {
  it('lists the keys in use, sorted', () => {
    expect(toLabelKeys(checks.map((check) => check.row))).toEqual(['team', 'tier'])
  })
})
