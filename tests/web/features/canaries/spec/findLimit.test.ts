import { CHECK_TYPES, type CheckType, isRunnableType } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

import { toCheckFields } from '../../../../../web/src/features/canaries/spec/checkFields.ts'
import { describeNoRunner, findLimit } from '../../../../../web/src/features/canaries/spec/findLimit.ts'

function limitOf(type: CheckType, key: string, value: unknown): string | undefined {
  const field = toCheckFields(type).find((field) => field.key === key)
  if (!field) throw new Error(`${type} has no ${key}`)
  return findLimit(field, value)
}

const secret = { valueFrom: { secretKeyRef: { name: 'shop', key: 'password' } } }

describe('findLimit', () => {
  it.each([
    ['password', secret, /^Read by a backend in the cluster\. On Watchroom’s own runner this check fails/],
    ['headers', [{ name: 'A', ...secret }], /^Secrets and config maps are read by a backend/],
    ['test', { template: 'x' }, /^Go Template is evaluated by other backends/],
    ['display', { jsonPath: 'x' }, /^JSONPath is evaluated by other backends/],
    ['transform', { expr: 'x' }, /^Done by other backends/],
  ])('says of %s that the product’s own runner cannot do it', (key, value, text) => {
    expect(limitOf('http', key, value)).toMatch(text)
  })

  it.each([
    ['password', 'secret'],
    ['password', undefined],
    ['headers', [{ name: 'A', value: 'b' }]],
    ['headers', { A: 'b' }],
    ['test', { expr: 'code == 200' }],
    ['transform', undefined],
    ['url', 'https://a'],
  ])('has nothing to say of %s with %j', (key, value) => {
    expect(limitOf('http', key, value)).toBeUndefined()
  })
})

describe('describeNoRunner', () => {
  it.each(CHECK_TYPES.filter((type) => !isRunnableType(type)))('says who runs %s checks and who does not', (type) => {
    expect(describeNoRunner(type)).toMatch(/^Watchroom’s own runner and agents don’t run /)
  })
})
