import { TABLE_ACCESS } from '@watchroom/shared/access'
import { settingsTopic } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES, SettingsRowSchema, type SettingsTable, versionOf } from '@watchroom/shared/settings'
import { describe, expect, it } from 'vitest'

describe.each(Object.entries(SETTINGS_RESOURCES))('the definition of %s', (name, definition) => {
  it('stands under the name of its table', () => {
    expect(definition.table).toBe(name)
  })

  it('asks for the right that the database grants, on the screen and on the topic', () => {
    const { resource } = definition
    expect(TABLE_ACCESS[name]).toEqual({ read: resource, write: resource })
    expect(settingsTopic.resource({ table: name as SettingsTable })).toBe(resource)
  })
})

describe('versionOf', () => {
  it('differs as soon as one of the columns does that move with a save', () => {
    const before = { id: 'a', name: 'files', updated_at: null, labels: { team: 'web' } }
    expect(versionOf({}, { ...before, labels: {} })).toBe(versionOf({}, before))
    expect(versionOf({}, { ...before, updated_at: '2026-01-01T00:00:00Z' })).not.toBe(versionOf({}, before))
    const version = ['updated_at', 'labels'] as const
    expect(versionOf({ version }, { ...before, labels: {} })).not.toBe(versionOf({ version }, before))
  })
})

describe('SettingsRowSchema', () => {
  it.each([
    ['a map', { team: 'web' }, { team: 'web' }],
    ['a text, as other consoles write them', '{"team":"web"}', { team: 'web' }],
    ['what is neither', 'team=web', null],
    ['nothing', undefined, undefined],
  ])('reads labels from %s', (_, labels, read) => {
    expect(
      SettingsRowSchema.parse({ id: 'a', name: 'files', ...(labels === undefined ? {} : { labels }) }).labels,
    ).toEqual(read)
  })
})
