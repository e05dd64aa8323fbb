import { describe, expect, it } from 'vitest'

import { readSpecText, toSpecText } from '../../../web/src/editor/readSpecText.ts'
import { addElementText, editSpecText, removeElementText } from '../../../web/src/editor/specText.ts'

const TEXT = `# watched by the shop team
schedule: "@every 30s"
http:
  # the front door
  - url: https://shop.example.com/ # public
    name: front
    x-owner: {team: shop} # nobody else reads this
  - name: back
    url: https://back.example.com/
elasticsearch:
  - url: https://es
`

describe('editSpecText', () => {
  it('changes one value and leaves comments, order, quotes and unknown keys as they were written', () => {
    expect(editSpecText(TEXT, ['http', 0, 'url'], 'https://new.example.com/')).toBe(
      TEXT.replace('https://shop.example.com/ #', 'https://new.example.com/ #').replace(
        '{team: shop}',
        '{ team: shop }',
      ),
    )
  })

  it('adds a field at the end of its check', () => {
    expect(editSpecText('tcp:\n  - endpoint: a:1\n', ['tcp', 0, 'tls'], true)).toBe(
      'tcp:\n  - endpoint: a:1\n    tls: true\n',
    )
  })

  it('removes a field, and says nothing when there is none', () => {
    expect(editSpecText('tcp:\n  - endpoint: a:1\n    tls: true\n', ['tcp', 0, 'tls'], undefined)).toBe(
      'tcp:\n  - endpoint: a:1\n',
    )
    expect(editSpecText(TEXT, ['http', 0, 'body'], undefined)).toBe(TEXT)
  })

  it('fills a check that had become empty with lines of its own', () => {
    const emptied = editSpecText('http:\n  - url: x\n', ['http', 0, 'url'], undefined)
    expect(editSpecText(emptied, ['http', 0, 'url'], 'https://a')).toBe('http:\n  - url: https://a\n')
  })

  it('writes a text of several lines as a block', () => {
    const text = editSpecText('exec:\n  - script: x\n', ['exec', 0, 'script'], 'set -e\necho done\n')
    expect(text).toContain('script: |')
    expect(readSpecText(text).spec).toEqual({ exec: [{ script: 'set -e\necho done\n' }] })
  })

  it('keeps lists at the margin where they were written so', () => {
    const text = 'http:\n- url: https://a\n'
    expect(editSpecText(text, ['http', 0, 'name'], 'a')).toBe('http:\n- url: https://a\n  name: a\n')
  })

  it('drops the quotes that only an empty text needed', () => {
    expect(editSpecText('http:\n  - url: ""\n', ['http', 0, 'url'], 'https://a')).toBe('http:\n  - url: https://a\n')
  })

  it('does not fold long lines', () => {
    const url = `https://a.example.com/${'very-long-'.repeat(30)}?q=a b c`
    expect(editSpecText('http:\n  - url: x\n', ['http', 0, 'url'], url)).toBe(`http:\n  - url: ${url}\n`)
  })

  it('leaves a text alone that is not YAML', () => {
    expect(editSpecText('http: [', ['interval'], 30)).toBe('http: [')
  })

  it('keeps a text a text that looks like a number', () => {
    const text = editSpecText('http:\n  - url: x\n', ['http', 0, 'body'], '0123')
    expect(readSpecText(text).spec).toEqual({ http: [{ url: 'x', body: '0123' }] })
  })
})

describe('a list or map that is changed', () => {
  const text = `http:
  - url: https://a
    responseCodes: [200, 418] # teapot
    headers:
      # for the cache
      - name: Accept
        value: "text/html" # quoted
      - name: X-Key
        value: abc
    password: x # the old one
`

  it('keeps the way it is written', () => {
    expect(editSpecText(text, ['http', 0, 'responseCodes'], [200, 204, 418])).toContain('[ 200, 204, 418 ] # teapot')
  })

  it('keeps comments of what stays, wherever that goes', () => {
    const accept = { name: 'Accept', value: 'text/html' }
    const key = { name: 'X-Key', value: 'abc' }
    const changed = editSpecText(text, ['http', 0, 'headers'], [accept, { ...key, value: 'abcd' }])
    expect(changed).toContain('# for the cache\n      - name: Accept\n        value: "text/html" # quoted\n')
    expect(changed).toContain('- name: X-Key\n        value: abcd\n')
    expect(editSpecText(text, ['http', 0, 'headers'], [key, accept])).toContain('value: "text/html" # quoted\n')
  })

  it('becomes another kind of value, with the comment beside it', () => {
    const reference = { valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }
    const changed = editSpecText(text, ['http', 0, 'password'], reference)
    expect(readSpecText(changed).spec).toMatchObject({ http: [{ password: reference }] })
    expect(changed).toContain('# the old one')
  })

  it('says exactly what it was given, whatever it said before', () => {
    const values: unknown[] = [
      '',
      'x',
      1,
      null,
      true,
      [],
      {},
      [1, 1, 2],
      [2, 1],
      [[1], { a: 1 }],
      { a: [{ b: 2 }] },
      { a: 1, c: '' },
    ]
    for (const before of values) {
      for (const after of values) {
        const start = editSpecText('a: 1\n', ['key'], before)
        expect(readSpecText(editSpecText(start, ['key'], after)).spec, JSON.stringify([before, after])).toEqual({
          a: 1,
          key: after,
        })
      }
    }
  })
})

describe('adding and removing checks', () => {
  it('adds to a list and begins one', () => {
    const one = addElementText('', 'http', { url: '' })
    expect(one).toBe('http:\n  - url: ""\n')
    expect(readSpecText(addElementText(one, 'http', { url: 'b' })).spec).toEqual({ http: [{ url: '' }, { url: 'b' }] })
    expect(readSpecText(addElementText(one, 'tcp', { endpoint: 'c:1' })).spec).toEqual({
      http: [{ url: '' }],
      tcp: [{ endpoint: 'c:1' }],
    })
  })

  it('begins a list where the key stood without a value', () => {
    expect(readSpecText(addElementText('http:\n', 'http', { url: 'a' })).spec).toEqual({ http: [{ url: 'a' }] })
  })

  it('removes one check, and its type with the last one', () => {
    const text = 'interval: 5\nhttp:\n  - url: a\n  - url: b\n'
    const once = removeElementText(text, 'http', 0)
    expect(once).toBe('interval: 5\nhttp:\n  - url: b\n')
    expect(removeElementText(once, 'http', 0)).toBe('interval: 5\n')
  })
})

describe('readSpecText', () => {
  it('reads an empty text as a spec without keys', () => {
    expect(readSpecText('').spec).toEqual({})
    expect(readSpecText('# nothing yet\n').spec).toEqual({})
  })

  it.each([
    ['a broken text', 'http:\n  - url: "a', 2],
    ['a list', '- a\n- b\n', 1],
    ['a word', 'http', 1],
    ['two of one key', 'http: []\nhttp: []\n', 2],
  ])('names the line of %s', (_what, text, line) => {
    const read = readSpecText(text)
    expect(read.spec).toBeNull()
    expect(read.problem?.line).toBe(line)
    expect(read.problem?.message).not.toBe('')
  })

  it('refuses references that grow without end', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (const [key, of] of ['ba', 'cb', 'dc', 'ed', 'fe'].map((pair) => pair.split(''))) {
      bomb.push(`${key}: &${key} [${Array.from({ length: 9 }, () => `*${of}`).join(',')}]`)
    }
    expect(readSpecText(bomb.join('\n')).problem?.message).toMatch(/alias/i)
  })

  it('finds the place of a path, or the nearest above it', () => {
    const { locate } = readSpecText(TEXT)
    expect(locate(['http', 1, 'url'])).toMatchObject({ line: 9, column: 10 })
    expect(locate(['http', 1, 'method'])).toMatchObject({ line: 8 })
    expect(locate(['nothing'])).toMatchObject({ line: 1 })
  })

  it('reads back what a stored spec is written as', () => {
    const spec = { interval: 30, http: [{ url: 'https://a', responseCodes: [200], labels: { a: 'yes', b: '1' } }] }
    expect(readSpecText(toSpecText(spec)).spec).toEqual(spec)
    expect(toSpecText({})).toBe('')
  })
})
