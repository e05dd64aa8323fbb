import { describe, expect, it } from 'vitest'

import {
  findFilterGap,
  NEW_RULE,
  ownServiceOf,
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
    const properties = { note: 'ours', fallback_person: 'old' }
    const fallback = { fallback: 'team', fallbackTeam: ID, fallbackAfter: '10m' }
    const stored = toValues({ ...FIELDS, ...fallback }, { properties })
    expect(stored.properties).toEqual({ note: 'ours', fallback_team: ID, fallback_after: '10m' })
    const row = { ...stored, id: ID, name: 'n', source: 'UI', error: null, created_by: null }
    expect(toFields(row)).toMatchObject(fallback)
    expect(toValues({ ...FIELDS, ...fallback, fallback: 'none' }, { properties }).properties).toEqual({
      note: 'ours',
    })
    expect(toValues({ ...FIELDS, fallback: 'person' }).properties).toBeNull()
    expect(faultsOf({ fallback: 'person', fallbackTeam: ID })).toEqual(['fallbackPerson'])
    expect(faultsOf({ fallback: 'team' })).toEqual(['fallbackTeam'])
    expect(faultsOf({ fallback: 'others', fallbackAfter: '10m' })).toEqual(['fallbackConnection'])
    expect(faultsOf({ fallback: 'team', fallbackTeam: ID })).toEqual([])
    expect(faultsOf({ fallbackAfter: 'soon' })).toEqual(['fallbackAfter'])
  })

  it('keeps through which connection people are mailed, as long as any are', () => {
    const properties = { connection: 'connection://ops/mails', note: 'ours' }
    const fields = toFields({ ...toValues(FIELDS), properties })
    expect(fields.mailConnection).toBe('connection://ops/mails')
    expect(toValues(fields, { properties }).properties).toEqual(properties)
    expect(toValues({ ...fields, mailConnection: ID }, { properties }).properties).toEqual({
      note: 'ours',
      connection: ID,
    })
    expect(toValues({ ...fields, mailConnection: '' }, { properties }).properties).toEqual({ note: 'ours' })
    const others = { ...fields, recipient: 'others', connection: ID }
    expect(toValues(others, { properties }).properties).toEqual({ note: 'ours' })
    expect(toValues({ ...others, fallback: 'team', fallbackTeam: ID }, { properties }).properties).toEqual({
      ...properties,
      fallback_team: ID,
    })
  })

  const stored = (columns: object) => ({ ...toValues(FIELDS), person_id: null, ...columns })

  it('keeps events that are not known here', () => {
    const fields = toFields(stored({ events: ['incident.created', 'check.passed', 'config.changed', 'check.failed'] }))
    expect(toValues(fields).events).toEqual(['check.failed', 'check.passed', 'incident.created', 'config.changed'])
    expect(toDraft(fields).events).toContain('incident.created')
  })

  it('keeps an address of its own until another recipient is chosen', () => {
    const services = [{ name: 'ops', url: 'slack://T1', properties: { channel: 'ops' } }, { connection: ID }]
    const row = stored({ custom_services: services })
    const fields = toFields(row)
    expect(fields).toMatchObject({ recipient: 'others', connection: '' })
    expect(ownServiceOf(services)).toBe('ops (its own address)')
    expect(toValues({ ...fields, title: 'Ops' }, row)).toMatchObject({ person_id: null, custom_services: services })
    expect(toValues({ ...fields, recipient: 'person', person: ID }, row).custom_services).toBeNull()
    expect(toValues({ ...fields, connection: ID, connectionName: 'pager' }, row).custom_services).toEqual([
      { name: 'pager', connection: ID, properties: { channel: 'ops' } },
      { connection: ID },
    ])
    const connected = stored({ custom_services: [{ connection: ID, url: 'slack://T1' }] })
    expect(ownServiceOf(connected.custom_services)).toBeNull()
    expect(toValues(toFields(connected), connected).custom_services).toEqual(connected.custom_services)
    expect(toValues({ ...toFields(connected), connection: '' }, connected).custom_services).toBeNull()
    expect(ownServiceOf([])).toBeNull()
    expect(ownServiceOf([{ url: 'slack://T1' }])).toBe('Its own address')
  })

  it.each([630e9, 100e9, 4_800e9, 1.5e9, 250e6, 1])('keeps a delay of %d ns', (wait) => {
    expect(toValues(toFields(stored({ wait_for: wait }))).wait_for).toBe(wait)
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
