import { describe, expect, it } from 'vitest'

import { integrationOptions } from '../../../../../web/src/features/incident-room/responders/integrationOptions.ts'
import {
  editField,
  missingFields,
  toFormValues,
} from '../../../../../web/src/features/incident-room/responders/responderForm.ts'
import { toStages } from '../../../../../web/src/features/incident-room/responders/responderStages.ts'
import {
  readResponderType,
  RESPONDERS,
} from '../../../../../web/src/features/incident-room/responders/responderTypes.ts'

const incident = { title: 'Labels are late', status: 'Open' }

describe('toFormValues', () => {
  const fields = RESPONDERS.email.fields
  const client = {
    values: { to: 'ops@example.org' },
    defaults: { subject: '<%= incident.title %>', body: '${subject} (<%= incident.status %>) for ${to}' },
  }

  it.each([
    {
      case: 'defaults from the incident and from fields before them',
      edited: {},
      values: { to: 'ops@example.org', subject: 'Labels are late', body: 'Labels are late (Open) for ops@example.org' },
    },
    {
      case: 'what was typed in place of a default, also inside other defaults',
      edited: { subject: 'Help' },
      values: { to: 'ops@example.org', subject: 'Help', body: 'Help (Open) for ops@example.org' },
    },
    {
      case: 'an emptied field empty',
      edited: { subject: 'Help', body: '' },
      values: { to: 'ops@example.org', subject: 'Help', body: '' },
    },
    {
      case: 'fixed values whatever was typed',
      edited: { to: 'me@example.org', subject: 'a', body: 'b' },
      values: { to: 'ops@example.org', subject: 'a', body: 'b' },
    },
  ])('keeps $case', ({ edited, values }) => {
    expect(toFormValues(fields, client, edited, incident)).toEqual(values)
  })

  it('leaves fields without settings empty, and they count as missing', () => {
    const values = toFormValues(fields, { values: {}, defaults: {} }, { to: ' ', body: 'b' }, incident)
    expect(values).toEqual({ to: ' ', subject: '', body: 'b' })
    expect([...missingFields(fields, values)]).toEqual(['to', 'subject'])
  })
})

describe('editField', () => {
  const all = { configType: 'i1', project: 'OPS', issueType: 'Bug', plan_id: 'p1', bucket_id: 'b1', priority: 'High' }

  it.each([
    {
      field: 'configType' as const,
      after: { configType: 'x', project: '', issueType: '', plan_id: '', bucket_id: '', priority: 'High' },
    },
    { field: 'project' as const, after: { ...all, project: 'x', issueType: '' } },
    { field: 'plan_id' as const, after: { ...all, plan_id: 'x', bucket_id: '' } },
    { field: 'priority' as const, after: { ...all, priority: 'x' } },
  ])('resets what depends on $field', ({ field, after }) => {
    expect(editField(all, field, 'x')).toEqual(after)
  })
})

describe('integrationOptions', () => {
  const jira = {
    jira: {
      projects: [
        { key: 'OPS', name: 'Operations', issueTypes: ['Bug', 'Task'] },
        { key: 'WEB', name: 'Web', issueTypes: ['Story'] },
      ],
      priorities: ['High', 'Low'],
    },
  }
  const planner = { plans: { p1: { id: 'p1', name: 'Plan one', buckets: [{ id: 'b1', name: 'To do' }] } } }

  it.each([
    { field: 'project' as const, config: jira, values: {}, options: ['OPS Operations', 'WEB Web'] },
    { field: 'issueType' as const, config: jira, values: { project: 'OPS' }, options: ['Bug Bug', 'Task Task'] },
    { field: 'issueType' as const, config: jira, values: {}, options: [] },
    { field: 'issueType' as const, config: jira, values: { project: 'gone' }, options: [] },
    { field: 'priority' as const, config: jira, values: {}, options: ['High High', 'Low Low'] },
    { field: 'plan_id' as const, config: planner, values: {}, options: ['p1 Plan one'] },
    { field: 'bucket_id' as const, config: planner, values: { plan_id: 'p1' }, options: ['b1 To do'] },
    { field: 'bucket_id' as const, config: undefined, values: { plan_id: 'p1' }, options: [] },
    { field: 'project' as const, config: { projects: 'none' }, values: {}, options: [] },
    { field: 'summary' as const, config: jira, values: {}, options: [] },
  ])('offers $options for $field', ({ field, config, values, options }) => {
    expect(integrationOptions(field, config, values).map(({ value, label }) => `${value} ${label}`)).toEqual(options)
  })
})

describe('toStages', () => {
  const at = '2026-03-01T08:00:00Z'

  it.each([
    { times: { created_at: at }, states: ['reached', 'current', 'ahead', 'ahead'] },
    { times: { created_at: at, acknowledged: at }, states: ['reached', 'reached', 'current', 'ahead'] },
    { times: { created_at: at, resolved: at }, states: ['reached', 'current', 'reached', 'ahead'] },
    {
      times: { created_at: at, acknowledged: at, resolved: at, closed: at },
      states: ['reached', 'reached', 'reached', 'reached'],
    },
  ])('takes the first missing time as the current stage: $states', ({ times, states }) => {
    const none = { created_at: null, acknowledged: null, resolved: null, closed: null }
    expect(toStages({ ...none, ...times }).map(({ state }) => state)).toEqual(states)
  })
})

describe('readResponderType', () => {
  it.each([
    { properties: { responderType: 'jira' }, type: 'jira' },
    { properties: { responderType: { label: 'Jira', value: 'jira' } }, type: 'jira' },
    { properties: { responderType: 7 }, type: null },
    { properties: {}, type: null },
    { properties: null, type: null },
  ])('reads $properties as $type', ({ properties, type }) => {
    expect(readResponderType(properties)).toBe(type)
  })
})
