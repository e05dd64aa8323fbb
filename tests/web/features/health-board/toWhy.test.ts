import { toCheckFacts, WAITING_STATUS, WAITING_TEXT } from '@watchroom/shared/health'
import { expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'

import { toWhy } from '../../../../web/src/features/health-board/toWhy.ts'

it.each([
  ['why a check fails, on one line', { status: 'unhealthy', last_error: ' refused\n by peer ' }, 'refused by peer'],
  ['what a new check waits for', { status: WAITING_STATUS }, WAITING_TEXT],
  ['nothing of one that passes', { status: 'healthy', last_error: 'old news' }, null],
  ['nothing of one that fails without a word', { status: 'unhealthy', last_error: '' }, null],
])('says %s', (_name, fields, why) => {
  expect(toWhy(toCheckFacts(buildCheck(fields)))).toBe(why)
})
