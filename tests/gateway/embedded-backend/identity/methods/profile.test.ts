import { describe, expect, it } from 'vitest'

import { judgeTraits } from '../../../../../gateway/src/embedded-backend/identity/methods/profile.ts'

describe('a name', () => {
  const judge = (firstName: string, lastName = '') => judgeTraits({ email: 'ada@corp.test', firstName, lastName })

  it.each(['Ada', 'Zoë 😀', "O'Neill-Ødegård", '李'])('is %s', (name) => {
    expect(judge(name, name)).toEqual({})
  })

  it.each(['Ada\nalice invites you', 'Ada\u001b[31m', 'Ada\u0000', 'Ada\u2028', 'Ada\u0085'])(
    'holds no control characters: %j',
    (name) => {
      const message = expect.objectContaining({
        text: 'A name holds no line breaks or other control characters.',
      }) as unknown
      expect(judge(name, name)).toEqual({ 'traits.name.first': [message], 'traits.name.last': [message] })
    },
  )
})
