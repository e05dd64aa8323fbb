import { describe, expect, it } from 'vitest'

import { parsePrinted } from '../../../../../gateway/src/embedded-backend/catalog/families/exec.ts'
import { parseAnswer } from '../../../../../gateway/src/embedded-backend/catalog/families/http.ts'
import { toRawItem } from '../../../../../gateway/src/embedded-backend/catalog/families/printedItem.ts'

const place = { source: 'script', line: 1 }

describe('an item as a script prints it', () => {
  it('is a document that names itself', () => {
    const document = { id: 'a', name: 'A', type: 'Thing', size: 3 }
    expect(toRawItem(document, place)).toEqual({
      ok: true,
      value: { config: document, facts: { id: 'a', name: 'A', type: 'Thing' }, place },
    })
  })

  it('is a document with what is known of it beside', () => {
    const printed = {
      config: { size: 3 },
      id: 'a',
      type: 'Thing',
      parent: 'b',
      tags: { zone: 1 },
      relationships: [{ to: 'c' }],
    }
    expect(toRawItem(printed, place)).toMatchObject({
      ok: true,
      value: {
        config: { size: 3 },
        facts: {
          id: 'a',
          parent: { id: 'b' },
          tags: { zone: '1' },
          relationships: [{ to: { id: 'c' }, relation: 'RelatedTo' }],
        },
      },
    })
  })

  it('has severities and types of insights in the words that are filtered by', () => {
    const insight = (severity?: string, type?: string) => ({ analyzer: 'a', severity, type })
    const printed = {
      config: {},
      changes: [
        { id: '1', type: 'Deploy', severity: 'High' },
        { id: '2', type: 'Deploy', severity: 'urgent' },
        { id: '3', type: 'Deploy' },
      ],
      insights: [insight('CRITICAL', 'Security'), insight('urgent', 'nobody foresaw'), insight()],
    }
    const read = toRawItem(printed, place)
    if (!read.ok) throw new Error(read.error.message)
    const { changes = [], insights = [] } = read.value.facts
    expect(changes.map(({ severity }) => severity)).toEqual(['high', 'info', undefined])
    expect(insights.map(({ severity, type }) => [severity, type])).toEqual([
      ['critical', 'security'],
      ['info', 'other'],
      ['info', 'other'],
    ])
  })

  it.each([
    [{ config: {}, health: 'fine' }, 'health: '],
    [{ config: {}, changes: [{ type: 'deploy' }] }, 'changes.0.id: '],
    [['a'], 'an item must be an object'],
    [null, 'an item must be an object'],
  ])('%j is told with its field, and hides what it stands for', (document, words) => {
    expect(toRawItem(document, place)).toMatchObject({
      ok: false,
      error: { ...place, hidesItems: true, message: expect.stringContaining(words) },
    })
  })

  it('is one, one of a list, or one on each line', () => {
    expect(parsePrinted('{"id":1}')).toEqual([{ document: { id: 1 }, line: 1 }])
    expect(parsePrinted('[{"id":1},{"id":2}]')).toHaveLength(2)
    expect(parsePrinted('{"id":1}\n\n{"id":2}\n').map(({ line }) => line)).toEqual([1, 3])
    expect(parsePrinted('[]\n')).toEqual([])
    expect(() => parsePrinted('{"id":1}\nDone.\n')).toThrow('line 2 of what the script prints is not JSON')
    // `curl … | jq .` of a dead server: taken for none, it would delete every item.
    expect(() => parsePrinted(' \n')).toThrow('the script prints nothing: to say that there is no item, print []')
  })
})

describe('an answer of a server', () => {
  const answer = (text: string, type: string) => ({ status: 200, text, headers: { 'content-type': type } })

  it('is JSON, or YAML where it or the spec says so', async () => {
    expect(await parseAnswer(answer('{"a":1}', 'application/json'), undefined)).toEqual({ a: 1 })
    expect(await parseAnswer(answer('a: 1', 'application/yaml'), undefined)).toEqual({ a: 1 })
    expect(await parseAnswer(answer('a: 1', 'text/plain'), 'yaml')).toEqual({ a: 1 })
  })

  it.each([
    ['<html></html>', 'text/html; charset=utf-8', 'HTML'],
    ['<html></html>', 'text/plain', 'not a document in JSON'],
    ['secret words', 'application/yaml', 'not a document in YAML'],
    ['', 'application/json', 'not a document in JSON'],
  ])('%j as %s is refused, without its words', async (text, type, words) => {
    const read = parseAnswer(answer(text, type), undefined)
    await expect(read).rejects.toThrow(words)
    await expect(read).rejects.not.toThrow('secret words')
  })

  it('is not a YAML document whose references multiply without end', async () => {
    const levels = 'abcdef'.split('')
    const bomb = levels.map((name, level) => {
      const below = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*${levels[level - 1]}`))
      return `${name}: &${name} [${below.join(', ')}]`
    })
    await expect(parseAnswer(answer(bomb.join('\n'), 'application/yaml'), undefined)).rejects.toThrow('YAML')
  })
})
