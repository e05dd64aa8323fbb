import { describe, expect, it } from 'vitest'

import { climbs, keepsServer } from '../../../gateway/src/step-runner/filledAddress.ts'
import { HOLES } from '../../../gateway/src/step-runner/templates.ts'

/** The template with its first hole filled with this. */
const keeps = (template: string, value: string): boolean =>
  keepsServer(template, HOLES, template.replace('{{ x }}', value).replaceAll(HOLES, 'y'))

describe('an address that values were filled into', () => {
  it.each([
    ['https://api.example.com/{{ x }}', '../../@evil.test/?#\\'],
    ['https://api.example.com?to={{ x }}', '@evil.test'],
    ['https://api.example.com{{ x }}', '/v1?a=b@c.d'],
    ['https://api.example.com{{ x }}', ''],
    ['http://db-{{ x }}/status', '3'],
    ['http://db-{{ x }}:8080/status', '3'],
    ['http://{{ x }}.example.com/', 'eu.west'],
    ['http://{{ x }}.example.com{{ x }}', 'eu'],
    ['http://api.{{ x }}/', 'example.com'],
    ['http://host:{{ x }}/', '8080'],
    ['http://user:{{ x }}@host/', 'word'],
    // Whoever leaves the server open leaves it to the values.
    ['http://{{ x }}/status', 'any.test:80'],
    ['{{ x }}', 'https://any.test/'],
    ['{{ x }}/status', 'https://any.test'],
  ])('%s stays where it is with %j', (template, value) => {
    expect(keeps(template, value)).toBe(true)
  })

  it.each([
    ['https://api.example.com{{ x }}', '.evil.test/'],
    ['https://api.example.com{{ x }}', '@evil.test/'],
    ['https://api.example.com{{ x }}', ':word@evil.test'],
    ['https://api.example.com{{ x }}', ':81/'],
    ['https://api.example.com{{ x }}', '\t.evil.test/'],
    ['https://api.example.com{{ x }}', '\n@evil.test/'],
    ['https://api.example.com{{ x }}:443/', '.evil.test'],
    ['https://api.example.com{{ x }}', '。evil。test/'],
    ['http://db-{{ x }}/status', '1.evil.test'],
    ['http://{{ x }}.example.com/', 'evil.test/'],
    ['http://{{ x }}.example.com/', 'evil.test?'],
    ['http://{{ x }}.example.com/', 'evil.test#'],
    ['http://{{ x }}.example.com/', 'evil.test\\'],
    ['http://{{ x }}.example.com/', 'evil.test\t/'],
    ['http://{{ y }}.example.com{{ x }}', '.evil.test'],
    ['http://user:{{ x }}@host/', 'word@evil.test/'],
    ['http://host:{{ x }}/', '80@evil.test'],
  ])('%s is not led elsewhere with %j', (template, value) => {
    expect(keeps(template, value)).toBe(false)
  })
})

describe('a path', () => {
  const fill = (template: string, value: string): boolean => climbs(template, HOLES, template.replaceAll(HOLES, value))

  it.each(['../admin', '5/../../admin', '..\\admin', '%2e%2E/admin', '.%2e', '.\t./admin'])(
    'is not left by %j',
    (value) => {
      expect(fill('https://api.example.org/items/{{ params.id }}', value)).toBe(true)
    },
  )

  it.each(['5', 'a/b', 'v1..2', '...', '5?to=../x'])('is kept by %j', (value) => {
    expect(fill('https://api.example.org/x/../items/{{ params.id }}/', value)).toBe(false)
  })
})
