import { describe, expect, it } from 'vitest'

import { type CodeLanguage, colorLine } from '../../../../web/src/ui/code/colorLine.ts'

const shown = (text: string, language: CodeLanguage): string =>
  colorLine(text, language)
    .filter(({ kind }) => kind !== undefined)
    .map((piece) => `${piece.kind ?? ''} ${piece.text}`)
    .join(' | ')

describe('colorLine', () => {
  it.each<[CodeLanguage, string, string]>([
    ['yaml', '  - name: "shop: front" # why', 'key name | string "shop: front" | comment # why'],
    ['yaml', 'name: item 3', 'key name'],
    ['yaml', '  - -3 # few', 'value -3 | comment # few'],
    ['yaml', 'replicas: 3', 'key replicas | value 3'],
    ['yaml', 'url: http://shop:80/#a', 'key url'],
    ['yaml', '# only a note', 'comment # only a note'],
    ['json', '  "a": "b", "c": [1.5, true]', 'key "a" | string "b" | key "c" | value 1.5 | value true'],
    ['properties', 'db.host = shop-1', 'key db.host'],
    ['toml', '[servers.alpha]', 'key [servers.alpha]'],
    ['properties', '! a note', 'comment ! a note'],
    ['text', 'a: 1', ''],
  ])('%s: %s', (language, text, pieces) => {
    expect(shown(text, language)).toBe(pieces)
    expect(
      colorLine(text, language)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  it('leaves a line of a thousand characters alone, whatever is in it', () => {
    expect(colorLine(`"${'\\'.repeat(5_000)}`, 'json')).toHaveLength(1)
  })
})
