import { expandCanary } from '@watchroom/shared/health/check-types'
import { describe, expect, it, vi } from 'vitest'

import { buildRunDeps } from '#support/runDeps.ts'

import { findObstacles } from '../../../gateway/src/check-runner/findObstacles.ts'
import { runCheck } from '../../../gateway/src/check-runner/runCheck.ts'
import { CheckRunners } from '../../../gateway/src/check-runner/types/index.ts'

function expand(spec: Record<string, unknown>) {
  const { checks, problems } = expandCanary(spec)
  const [check] = checks
  if (check === undefined) throw new Error(JSON.stringify(problems))
  return check
}

const http = (fields: object) => expand({ http: [{ url: 'http://shop.example', ...fields }] })

describe('findObstacles', () => {
  it('finds none in a check that this runner can do', () => {
    expect(findObstacles(http({ password: { value: 'p' }, test: { expr: 'code == 200' }, transform: {} }))).toEqual([])
  })

  it.each([
    ['alertmanager', { url: 'http://a' }],
    ['elasticsearch', { url: 'http://a', index: 'i', query: '{}' }],
    ['mongodb', { url: 'mongodb://a' }],
  ])('names the type %s, which has no runner', (type, check) => {
    expect(findObstacles(expand({ [type]: [check] }))).toEqual([
      `this runner does not run ${type} checks; they are left to backends that do`,
    ])
  })

  it.each([
    ['test', 'template', 'Go templates'],
    ['test', 'javascript', 'Javascript'],
    ['display', 'jsonPath', 'JSONPath'],
  ])('names the field %s.%s, whose language is not evaluated', (field, kind, language) => {
    expect(findObstacles(http({ [field]: { [kind]: 'true' } }))).toEqual([
      `${field}.${kind}: this runner does not evaluate ${language}; only an expression (expr) is evaluated here`,
    ])
  })

  it('refuses a transformation in any language', () => {
    expect(findObstacles(http({ transform: { expr: '[]' } }))).toEqual([
      'transform: this runner does not make several checks of one answer',
    ])
  })

  it('names each value that stands elsewhere, a header by its name', () => {
    expect(
      findObstacles(
        http({
          username: { valueFrom: { helmRef: { name: 'shop', key: '.user' } } },
          password: { valueFrom: { secretKeyRef: { name: 'shop', key: 'password' } } },
          headers: [
            { name: 'Accept', value: 'a/b' },
            { name: 'X-Key', valueFrom: { configMapKeyRef: { name: 'shop', key: 'key' } } },
          ],
        }),
      ),
    ).toEqual([
      'headers.X-Key: this runner cannot read the config map "shop" (key "key"), only values that are written here',
      'username: this runner cannot read helmRef, only values that are written here',
      'password: this runner cannot read the secret "shop" (key "password"), only values that are written here',
    ])
  })
})

describe('runCheck', () => {
  it('runs nothing of a check with an obstacle, and says which', async () => {
    const run = vi.fn<typeof CheckRunners.http.run>()
    const check = http({ test: { template: '{{ true }}' } })
    const outcome = await runCheck(check, buildRunDeps(), { ...CheckRunners, http: { run } })
    expect(run).not.toHaveBeenCalled()
    expect(outcome).toMatchObject({ passed: false, invalid: true })
    expect(outcome.error).toContain('test.template: this runner does not evaluate Go templates')
  })
})
