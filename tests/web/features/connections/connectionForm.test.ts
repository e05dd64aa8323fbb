import {
  CONNECTION_TYPES,
  type ConnectionSummary,
  ConnectionSummarySchema,
  type ConnectionType,
} from '@watchroom/shared/settings/connections'
import { describe, expect, it } from 'vitest'

import {
  type ConnectionFields,
  type FieldValue,
  newFields,
  toComparable,
  toFields,
  toRow,
  toSchema,
} from '../../../../web/src/features/connections/connectionForm.ts'
import { atFields, requireStoredColumns } from '../../../../web/src/features/connections/saveConnection.ts'
import { faultsOf } from '../../../../web/src/ui/form/fieldFault.ts'

const TYPES: readonly (readonly [string, ConnectionType])[] = Object.entries(CONNECTION_TYPES)

/** Faults by the dotted path of their field. */
function faults(type: ConnectionType, fields: ConnectionFields): Record<string, string> {
  const read = toSchema(type).safeParse(fields)
  return Object.fromEntries((read.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]))
}

/** A form in which every required field holds something. */
function filled(type: ConnectionType): ConnectionFields {
  const values = { ...newFields(type), name: 'shop' }
  const entered = type.fields.map(({ name, kind, choices }): [string, FieldValue] => {
    if (kind === 'switch') return [name, false]
    if (kind === 'choice') return [name, choices[0] ?? '']
    if (kind === 'number') return [name, '80']
    return [name, kind === 'secret' ? { source: 'value', text: 'x', name: '', key: '' } : 'x']
  })
  return { ...values, ...Object.fromEntries(entered) }
}

const emptied = (type: ConnectionType): ConnectionFields =>
  Object.fromEntries(
    Object.entries(filled(type)).map(([name, value]) => [
      name,
      typeof value === 'object' ? { ...value, text: ' ' } : typeof value === 'string' ? '' : value,
    ]),
  )

describe.each(TYPES)('the form of %s', (_, type) => {
  it('takes what is complete', () => {
    expect(faults(type, filled(type))).toEqual({})
  })

  it('says at each required field that it is empty', () => {
    const required = type.fields.filter(({ isRequired, when }) => isRequired && when === undefined)
    const expected = ['name', 'namespace', ...required.map(({ name }) => name)]
    expect(faults(type, emptied(type))).toEqual(
      Object.fromEntries(expected.map((name) => [name, 'This field is required'])),
    )
  })

  it('says at each number that it is none, or below 0', () => {
    for (const { name } of type.fields.filter(({ kind }) => kind === 'number')) {
      const withValue = (value: string) => faults(type, { ...filled(type), [name]: value })
      expect(withValue('many')).toEqual({ [name]: 'This field must be a number' })
      expect(withValue('-1')).toEqual({ [name]: 'This field must be at least 0' })
      expect(withValue('65536')).toEqual({ [name]: 'This field must be at most 65535' })
    }
  })

  it('asks for name and key of a reference', () => {
    for (const { name } of type.fields.filter(({ kind, when }) => kind === 'secret' && when === undefined)) {
      const reference = { source: 'secretKeyRef', text: '', name: '', key: '' } as const
      expect(faults(type, { ...filled(type), [name]: reference })).toEqual({
        [`${name}.name`]: 'This field is required',
        [`${name}.key`]: 'This field is required',
      })
    }
  })
})

const row = (values: Partial<ConnectionSummary>): ConnectionSummary => ({
  id: 'a',
  name: 'shop',
  type: 'http',
  used_by: [],
  credentials: [],
  ...values,
})

describe('a connection in its form', () => {
  const { http, restic } = CONNECTION_TYPES

  it('keeps references to secrets and config maps', () => {
    const fields = toFields(http, row({ url: 'u', username: 'configmap://people/ada', password: 'secret://shop/key' }))
    expect(fields['password']).toEqual({ source: 'secretKeyRef', text: '', name: 'shop', key: 'key' })
    expect(toRow(http, fields)).toMatchObject({ username: 'configmap://people/ada', password: 'secret://shop/key' })
  })

  it('shows no secret beside another version', () => {
    const fields = { ...toFields(http, row({ url: 'https://a.example', password: '***' })) }
    expect(toComparable(http, fields)).toBe('URL: https://a.example\nPassword: ***\nSkip TLS verification: false')
    const entered = { ...fields, password: { source: 'value', text: 'hidden', name: '', key: '' } as const }
    expect(toComparable(http, entered)).toContain('Password: (entered anew)')
  })

  it('leads what the database refuses to the field of that name', async () => {
    const refused = Object.assign(new Error('no'), {
      faults: [
        {
          field: 'properties',
          message: 'accessKey: no secret is stored here that *** could stand for. Enter it.',
        },
        { field: 'name', message: 'This name is already used in this namespace' },
      ],
    })
    const error: unknown = await atFields(restic, () => Promise.reject(refused)).catch((caught: unknown) => caught)
    expect(faultsOf(error)).toEqual([
      { field: 'accessKey', message: 'no secret is stored here that *** could stand for. Enter it.' },
      { field: 'name', message: 'This name is already used in this namespace' },
    ])
  })
})

describe('the columns of an unknown type', () => {
  const row = ConnectionSummarySchema.parse({
    id: 'a',
    name: 'a',
    type: 'of-tomorrow',
    username: '***',
    password: null,
  })

  it('are not emptied where *** stands for a secret that is gone', () => {
    expect(() => requireStoredColumns('spec', { username: '***', password: '***' }, row)).toThrow(
      'no secret is stored here that *** could stand for. Enter it.',
    )
    expect(() => requireStoredColumns('spec', { username: '***', password: 'new' }, row)).not.toThrow()
  })
})
