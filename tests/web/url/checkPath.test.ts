import { expect, it } from 'vitest'

import { checkPath } from '../../../web/src/url/checkPath.ts'

it('leads to a check over the board, whatever its id has in it', () => {
  expect(checkPath('a&b=c')).toBe('/health?checkId=a%26b%3Dc')
})
