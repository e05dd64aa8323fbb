import { CHECK_TYPES, CheckSpecSchema } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { CANARY_JSON_SCHEMA, toCheckFields } from '../../../../../web/src/features/canaries/spec/checkFields.ts'
import { NEW_CHECKS } from '../../../../../web/src/features/canaries/spec/templates.ts'

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>
  items?: ObjectSchema
  required?: string[]
  description?: string
  additionalProperties?: unknown
}

const field = (type: (typeof CHECK_TYPES)[number], key: string) =>
  toCheckFields(type).find((field) => field.key === key)

describe('toCheckFields', () => {
  it.each(CHECK_TYPES)('has a field for every key of a %s check, and no other', (type) => {
    const schema = z.toJSONSchema(CheckSpecSchema[type], { io: 'input', unrepresentable: 'any' }) as ObjectSchema
    expect(
      toCheckFields(type)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(Object.keys(schema.properties ?? {}).toSorted())
  })

  it('takes kind, requirement and bounds from the schema', () => {
    expect(field('http', 'url')).toMatchObject({ kind: 'text', isRequired: true })
    expect(field('http', 'insecureSkipVerify')).toMatchObject({ kind: 'switch', isRequired: false })
    expect(field('http', 'thresholdMillis')).toMatchObject({ kind: 'number', isWhole: false })
    expect(field('icmp', 'packetCount')).toMatchObject({ kind: 'number', isWhole: true })
    expect(field('dns', 'querytype')).toMatchObject({ kind: 'choice' })
    expect(field('self', 'severity')).toMatchObject({ kind: 'choice' })
    expect(field('postgres', 'url')).toMatchObject({ isRequired: true })
  })

  it.each(CHECK_TYPES)('begins a new %s check with the field it cannot do without', (type) => {
    const required = toCheckFields(type).filter(({ isRequired }) => isRequired)
    expect(Object.keys(NEW_CHECKS[type])).toEqual(required.map(({ key }) => key))
  })
})

describe('CANARY_JSON_SCHEMA', () => {
  const schema = CANARY_JSON_SCHEMA as ObjectSchema

  it('describes every type and field in the words of the form', () => {
    for (const type of CHECK_TYPES) {
      expect(schema.properties?.[type]?.description).toBeTruthy()
      for (const [key, property] of Object.entries(schema.properties?.[type]?.items?.properties ?? {})) {
        expect(property.description, `${type}.${key}`).toBeTruthy()
      }
    }
  })

  it('marks unknown keys', () => {
    expect(schema.additionalProperties).toBe(false)
    expect(schema.properties?.['http']?.items?.additionalProperties).toBe(false)
  })

  it('demands no case where the schema itself accepts either', () => {
    expect(JSON.stringify(schema)).not.toContain('"pattern":')
  })

  it('is plain data that a worker can be sent', () => {
    expect(structuredClone(schema)).toEqual(schema)
  })
})
