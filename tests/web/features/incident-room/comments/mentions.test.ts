import { parseComment } from '@watchroom/shared/incidents'
import { describe, expect, it } from 'vitest'

import { ANA, BO } from '#support/incidentDocument.ts'

import {
  insertMention,
  mentionAt,
  toStoredComment,
} from '../../../../../web/src/features/incident-room/comments/mentions.ts'

describe('mentionAt', () => {
  it.each([
    { text: '@', query: '', from: 0 },
    { text: 'ask @an', query: 'an', from: 4 },
    { text: 'ask @Ana A', query: 'Ana A', from: 4 },
  ])('reads who is being named in "$text"', ({ text, query, from }) => {
    expect(mentionAt(text, text.length)).toEqual({ query, from })
  })

  it.each(['ana@example', 'ask ana', 'ask @ ana', '@ana\nnext'])('sees nobody named in "%s"', (text) => {
    expect(mentionAt(text, text.length)).toBeNull()
  })
})

describe('toStoredComment', () => {
  it('stores chosen people by id, the longest name first, and leaves other text alone', () => {
    const mentions = [
      { name: 'Ana', userId: BO },
      { name: 'Ana Ash', userId: ANA },
    ]
    const stored = toStoredComment(' @Ana Ash and @Ana, not @Cy ', mentions)
    expect(stored).toBe(`@[Ana Ash](user:${ANA}) and @[Ana](user:${BO}), not @Cy`)
    expect(parseComment(stored).filter(({ kind }) => kind === 'mention')).toHaveLength(2)
  })

  it('takes names as they are, not as patterns', () => {
    expect(toStoredComment('@A.B (a+b) @AxB', [{ name: 'A.B (a+b)', userId: ANA }])).toBe(
      `@[A.B (a+b)](user:${ANA}) @AxB`,
    )
  })
})

describe('insertMention', () => {
  it('replaces what was typed and puts the caret behind the name', () => {
    expect(insertMention('ask @an now', { from: 4, caret: 7 }, 'Ana')).toEqual({ text: 'ask @Ana now', caret: 9 })
  })
})
