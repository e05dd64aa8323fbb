import { expect, it } from 'vitest'

import { readSources } from './sources.ts'

/** From the table on, to the end of the text that has it. */
const UPDATES = /\bupdate (?:public\.)?playbook_run(?:s|_actions)\b[^`]*/g

it('lets each statement that changes runs or steps of playbooks ask what they may become', () => {
  const updates = readSources('gateway/src').flatMap(({ path, text }) =>
    Array.from(text.matchAll(UPDATES), ([statement]) => ({ path, statement })),
  )
  const unasked = updates.filter(({ statement }) => !/\$\{(?:runs|actions)Before\(/.test(statement))
  expect(updates.length).toBeGreaterThan(5)
  expect(unasked).toEqual([])
})
