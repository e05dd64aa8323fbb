import { describe, expect, it } from 'vitest'

import { isSecretVariable, variableAt } from '../../../../gateway/src/embedded-backend/secrets/secretVariables.ts'

describe('isSecretVariable', () => {
  it.each([
    ['DB_PASSWORD', 'harbour'],
    ['API_KEY', 'korrekt-pferd'],
    ['PAT', 'ghp_0123456789abcdefghij'],
    ['DATABASE', 'postgres://ada:hunter2@db/shop'],
    ['ANY', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.abc'],
  ])('hides %s=%s', (name, value) => expect(isSecretVariable({ name, value })).toBe(true))

  it.each([
    ['SITE', 'harbour'],
    ['REGION', 'europe-west-1-production'],
    ['HOST', 'db-01.harbour-parcel.example'],
    ['TENANT', '0190c6f2-7b1a-7d3e-8a55-3f2b1c9d4e5f'],
    ['TOKEN_PATH', '/run/secrets/token'],
    ['DB_PASSWORD', 'yes'],
  ])('leaves %s=%s in documents', (name, value) => expect(isSecretVariable({ name, value })).toBe(false))
})

describe('variableAt', () => {
  const document = { spec: { exec: [{ env: [{ name: 'SITE', value: 'harbour' }] }], env: { SITE: 'harbour' } } }

  it.each([
    [['spec', 'exec', '0', 'env', '0', 'value'], 'SITE'],
    [['spec', 'env', 'SITE'], 'SITE'],
    [['spec', 'exec', '0', 'script'], null],
    [['spec', 'http', '0', 'headers', '0', 'value'], null],
  ])('of %j', (path, name) => expect(variableAt(document, path)).toBe(name))
})
