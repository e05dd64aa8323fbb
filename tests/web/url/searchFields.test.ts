import { describe, expect, it } from 'vitest'

import { booleanField, idField } from '../../../web/src/url/searchFields.ts'

const ID = '018f0000-0000-7000-8000-000000000001'

describe('fields of addresses', () => {
  it.each([
    { given: 'true', isOff: true, isOn: true },
    { given: 'false', isOff: false, isOn: false },
    { given: '', isOff: false, isOn: true },
    { given: 'yes', isOff: false, isOn: true },
    { given: undefined, isOff: false, isOn: true },
  ])('read $given as a switch that is off or on by default', ({ given, isOff, isOn }) => {
    expect(booleanField().parse(given)).toBe(isOff)
    expect(booleanField(true).parse(given)).toBe(isOn)
  })

  it.each([
    { given: ID, id: ID },
    { given: 'nonsense', id: '' },
    { given: undefined, id: '' },
  ])('read $given as the id “$id”', ({ given, id }) => {
    expect(idField.parse(given)).toBe(id)
  })
})
