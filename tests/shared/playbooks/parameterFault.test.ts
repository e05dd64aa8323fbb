import { type Parameter, parameterFault, ParameterSchema } from '@watchroom/shared/playbooks'
import { describe, expect, it } from 'vitest'

type Properties = NonNullable<Parameter['properties']>

const faultOf = (text: string, properties: Properties, type = 'text') =>
  parameterFault({ name: 'p', type, default: undefined, properties }, text)

describe('bounds of a parameter', () => {
  it.each<[object, string[]]>([
    [{ format: 'bytes', min: '512Mi', max: 2048 }, []],
    [{ format: 'bytes', min: '512' }, ['properties.min']],
    [{ format: 'number', min: 1, max: '512Mi' }, ['properties.max']],
  ])('%o have faults at %o', (properties, faults) => {
    const issues = ParameterSchema.safeParse({ name: 'p', properties }).error?.issues ?? []
    expect(issues.map(({ path }) => path.join('.'))).toEqual(faults)
  })
})

describe('parameterFault', () => {
  it.each<[string, Properties, string | null]>([
    ['ab', { minLength: 3 }, 'Must have at least 3 characters'],
    ['abcd', { maxLength: 3 }, 'Must have at most 3 characters'],
    ['4', { min: 5 }, 'Must be at least 5'],
    ['6', { max: 5 }, 'Must be at most 5'],
    ['abc', { max: 5 }, 'Must be a number'],
    ['512Mi', { format: 'bytes' }, null],
    ['512', { format: 'bytes' }, 'Must be a number with Mi, Gi or Ti'],
    ['512Mi', { format: 'bytes', max: 100 }, 'Must be at most 100Mi'],
    ['1Gi', { format: 'bytes', min: 512, max: 1024 }, null],
    ['1Gi', { format: 'bytes', min: '1.5Gi' }, 'Must be at least 1.5Gi'],
    ['0.5Ti', { format: 'bytes', min: '512Gi', max: '512Gi' }, null],
    ['1025Mi', { format: 'bytes', max: '1Gi' }, 'Must be at most 1Gi'],
    ['500m', { format: 'millicores' }, null],
    ['0.5', { format: 'millicores' }, 'Must be a number of millicores, for example 500m'],
    ['my-app.example', { format: 'dns1123' }, null],
    ['My_App', { format: 'dns1123' }, 'Must be lower case letters, digits and -, in labels separated by dots'],
    ['-app', { format: 'dns1123' }, 'Must be lower case letters, digits and -, in labels separated by dots'],
    ['nobody', { format: 'email' }, 'Must be an e-mail address'],
    ['example', { format: 'url' }, 'Must be a URL'],
    ['anything', { format: 'of tomorrow' }, null],
  ])('says of %s with %o: %s', (text, properties, fault) => expect(faultOf(text, properties)).toBe(fault))

  it('asks for what is required, and for nothing else', () => {
    expect(parameterFault({ name: 'p', required: true, default: undefined }, '')).toBe('This field is required')
    expect(parameterFault({ name: 'p', default: undefined, properties: { minLength: 3 } }, '')).toBeNull()
  })

  it.each([
    ['checkbox', 'yes', 'Must be true or false'],
    ['list', 'c', 'Must be one of the options'],
    ['config', 'checkout', 'Must be an id'],
  ])('judges the value of a %s', (type, text, fault) => {
    expect(faultOf(text, { options: [{ label: 'A', value: 'a' }] }, type)).toBe(fault)
  })
})
