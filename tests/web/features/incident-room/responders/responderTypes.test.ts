import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  RESPONDER_TYPES,
  RESPONDERS,
  type ResponderType,
} from '../../../../../web/src/features/incident-room/responders/responderTypes.ts'

// Written by hand from the second specification, section 3: the second opinion on the table.
describe('RESPONDERS', () => {
  it.each<[ResponderType, string]>([
    ['email', 'to subject body'],
    ['jira', 'configType project issueType priority summary description'],
    ['service_now', 'category description body'],
    ['ca', 'category description body'],
    ['aws_support', 'category description body'],
    ['aws_ams_services_request', 'category description body'],
    ['redhat', 'product category description body'],
    ['oracle', 'product category description body'],
    ['vmware', 'product category description body'],
    ['ms_planner', 'configType plan_id bucket_id priority title description'],
    ['person', 'person'],
  ])('asks for the fields of %s', (type, fields) => {
    expect(RESPONDERS[type].fields.join(' ')).toBe(fields)
  })

  it('has a form for each type of the specification', () => {
    expect(Object.keys(RESPONDERS).toSorted()).toEqual([...RESPONDER_TYPES].toSorted())
    expect(RESPONDER_TYPES).toHaveLength(11)
  })
})

describe('the list of types', () => {
  it('shows six lines and scrolls beyond', () => {
    const sheet = join(
      import.meta.dirname,
      '../../../../../web/src/features/incident-room/evidence/evidence.module.css',
    )
    const [rule = ''] = /^\.types :global\(\.bp6-form-content\) \{[^}]*\}/m.exec(readFileSync(sheet, 'utf8')) ?? []
    expect(rule).toContain('max-height: calc(6 * var(--responder-line));')
    expect(rule).toContain('overflow: auto;')
  })
})
