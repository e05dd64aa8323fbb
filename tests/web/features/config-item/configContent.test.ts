import { describe, expect, it } from 'vitest'

import { whyNotEvidence } from '../../../../web/src/api/incidentCreation.ts'
import { toConfigContent } from '../../../../web/src/features/config-item/configContent.ts'
import { toConfigEvidence } from '../../../../web/src/features/config-item/evidence.ts'
import { parseLineRanges } from '../../../../web/src/ui/code/lineRanges.ts'

describe('[third specification 2] content of a config item', () => {
  it('is YAML with the keys at the top in order', () => {
    expect(toConfigContent({ spec: { b: 1, a: 2 }, kind: 'Pod' })).toEqual({
      format: 'yaml',
      language: 'yaml',
      lines: ['kind: Pod', 'spec:', '  b: 1', '  a: 2'],
    })
  })

  it('is text as its source has it, JSON unless the source says otherwise', () => {
    expect(toConfigContent({ content: '{\r\n}\n' })).toEqual({ format: 'json', language: 'json', lines: ['{', '}'] })
    const content = 'a=1'
    expect(toConfigContent({ content, format: 'Properties' })).toMatchObject({ language: 'properties', lines: ['a=1'] })
    expect(toConfigContent({ content, format: 'constructor' })).toMatchObject({ language: 'text' })
  })

  it('may be missing', () => {
    for (const config of [null, undefined, { content: ' ' }, '']) expect(toConfigContent(config)).toBeNull()
    expect(toConfigContent({ content: 7 })?.lines).toEqual(['content: 7'])
  })
})

describe('[third specification 2] lines as evidence', () => {
  const item = { id: '1', name: 'shop.yaml', type: 'File::YAML' }
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)

  it('keeps the chosen lines, and three around them', () => {
    expect(toConfigEvidence(item, lines, parseLineRanges('2,12-13'))).toEqual({
      type: 'config',
      config_id: '1',
      description: 'shop.yaml, lines 2, 12-13',
      evidence: {
        configName: 'shop.yaml',
        configType: 'File::YAML',
        selected_lines: { 2: 'line 2', 12: 'line 12', 13: 'line 13' },
        lines: Object.fromEntries([1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14, 15, 16].map((at) => [at, `line ${at}`])),
      },
    })
  })

  it('is the item alone where none are chosen', () => {
    const evidence = toConfigEvidence(item, lines, [])
    expect(evidence).toMatchObject({ description: 'shop.yaml', evidence: { lines: {}, selected_lines: {} } })
    expect(whyNotEvidence(evidence)).toBeUndefined()
  })

  it('is refused before it is sent where the backend would refuse it', () => {
    const evidence = toConfigEvidence(item, ['x'.repeat(70_000)], parseLineRanges('1'))
    expect(whyNotEvidence(evidence)).toBe('These lines are too long for one piece of evidence. Select fewer.')
  })
})
