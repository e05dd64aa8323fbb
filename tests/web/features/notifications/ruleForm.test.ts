import { describe, expect, it } from 'vitest'

import {
  findFilterGap,
  NEW_RULE,
  RuleFormSchema,
  toDraft,
  toFields,
  toValues,
} from '../../../../web/src/features/notifications/ruleForm.ts'

const ID = '018f0000-0000-7000-8000-000000000001'
const FIELDS = {
  ...NEW_RULE,
  title: ' Payments ',
  events: ['check.passed', 'check.failed'],
  person: ID,
  wait: '5m',
  group: 'type, labels:app',
}

const faultsOf = (fields: object): string[] =>
  RuleFormSchema.safeParse({ ...FIELDS, ...fields }).error?.issues.map(({ path }) => path.join('.')) ?? []

describe('the form of a notification', () => {
  it('keeps one recipient, and shows what is stored as it was entered', () => {
    const stored = toValues(FIELDS)
    expect(stored).toMatchObject({
      title: 'Payments',
      events: ['check.failed', 'check.passed'],
      person_id: ID,
      team_id: null,
      custom_services: null,
      wait_for: 300e9,
      group_by: ['type', 'labels:app'],
      template: null,
    })
    expect(
      toValues(
        { ...FIELDS, recipient: 'others', connection: ID },
        {
          custom_services: [{ name: 'kept', connection: 'old' }],
        },
      ),
    ).toMatchObject({
      person_id: null,
      team_id: null,
      custom_services: [{ name: 'kept', connection: ID }],
    })
    expect(toValues({ ...FIELDS, recipient: 'others', connection: ID, connectionName: 'pager' })).toMatchObject({
      custom_services: [{ name: 'pager', connection: ID }],
    })
    const row = { ...stored, id: ID, name: 'n', source: 'UI', error: null, created_by: null, properties: null }
    expect(toFields(row)).toEqual({
      ...FIELDS,
      title: 'Payments',
      events: ['check.failed', 'check.passed'],
    })
  })

  it('keeps whom it falls back to among the properties, and what else stands there', () => {
    const properties = { connection: 'mails', fallback_person: 'old' }
    const fallback = { fallback: 'team', fallbackTeam: ID, fallbackAfter: '10m' }
    const stored = toValues({ ...FIELDS, ...fallback }, { properties })
    expect(stored.properties).toEqual({ connection: 'mails', fallback_team: ID, fallback_after: '10m' })
    const row = { ...stored, id: ID, name: 'n', source: 'UI', error: null, created_by: null }
    expect(toFields(row)).toMatchObject(fallback)
    expect(toValues({ ...FIELDS, ...fallback, fallback: 'none' }, { properties }).properties).toEqual({
      connection: 'mails',
    })
    expect(toValues({ ...FIELDS, fallback: 'person' }).properties).toBeNull()
    expect(faultsOf({ fallbackAfter: 'soon' })).toEqual(['fallbackAfter'])
  })

  it('needs events, and lengths of time and groups that exist', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ events: [] })).toEqual(['events'])
    expect(faultsOf({ wait: 'soon' })).toEqual(['wait'])
    expect(faultsOf({ group: 'owner' })).toEqual(['group'])
    expect(faultsOf({ template: 'custom', text: ' ' })).toEqual(['text'])
  })

  it('asks the server about the words that would be stored', () => {
    expect(toDraft({ ...FIELDS, template: 'custom', text: '{{ check.name }}' })).toEqual({
      events: ['check.failed', 'check.passed'],
      title: 'Payments',
      filter: null,
      template: '{{ check.name }}',
    })
  })

  it('says which events lack what the filter asks for', () => {
    const gap = (filter: string, ...events: string[]) => findFilterGap({ filter, events })
    expect(gap(`check.name == 'api'`, 'check.failed')).toBeNull()
    expect(gap('', 'component.unhealthy')).toBeNull()
    expect(gap(`check.name == 'api'`, 'check.failed', 'component.unhealthy')).toBe(
      'component.unhealthy has no check.name. The filter can’t match on it there.',
    )
    expect(gap(`check.name == component.name`, 'component.unhealthy', 'component.warning', 'check.failed')).toBe(
      'check.failed, component.unhealthy and component.warning have no component.name or check.name. The filter can’t match on it there.',
    )
  })
})
