import { CheckSpecSchema } from '@watchroom/shared/health/check-types'
import { describe, expect, it, vi } from 'vitest'

import type { CheckOutcome, Variables } from '../../../gateway/src/check-runner/contract.ts'
import { evaluateLook } from '../../../gateway/src/check-runner/evaluateLook.ts'
import { applyExpressions } from '../../../gateway/src/check-runner/expressions.ts'
import type { LookUp } from '../../../gateway/src/check-runner/lookApart.ts'
import { DURATION, toDuration } from '../../../gateway/src/platform/expressionLanguage.ts'

const VARIABLES: Variables = {
  code: { type: 'int', value: 200n },
  json: {
    type: 'dyn',
    value: { version: '1.4.2', jobs: [{ late: 3 }, { late: 0 }], nothing: null, span: { seconds: 'x', nanos: 0 } },
  },
  content: { type: 'string', value: `${'a'.repeat(40)}!` },
  headers: { type: 'map<string, string>', value: new Map([['x-lag', '7']]) },
  elapsed: { type: DURATION, value: toDuration(150.4) },
}
const PASSED: CheckOutcome = { passed: true, durationMs: 150, message: '200 OK' }

const lookUp: LookUp = async (look) => evaluateLook(look)

function apply(templates: { test?: string; display?: string }, outcome = PASSED): Promise<CheckOutcome> {
  const spec = CheckSpecSchema.http.parse({
    url: 'http://shop.example',
    ...Object.fromEntries(Object.entries(templates).map(([field, expr]) => [field, { expr }])),
  })
  return applyExpressions(outcome, spec, () => VARIABLES, lookUp)
}

describe('applyExpressions', () => {
  it.each([
    'code == 200 && elapsed < duration("1s")',
    'json.jobs.all(job, job.late <= 3)',
    'json.jobs.size() == 2',
    'json.version.startsWith("1.")',
    'has(json.version) && !has(json.missing)',
    'content.matches("^a+!$")',
  ])('passes where %s', async (test) => {
    expect(await apply({ test })).toEqual(PASSED)
  })

  it('fails where the test is false, and shows it', async () => {
    expect(await apply({ test: 'code in [201, 202]' })).toEqual({
      ...PASSED,
      passed: false,
      error: 'test.expr is false: code in [201, 202]',
    })
  })

  it.each([
    ['json.missing == 1', 'test.expr: No such key: missing'],
    ['json.version > 1', /^test\.expr: no such overload/],
  ])('fails where the answer lacks what the test needs: %s', async (test, error) => {
    const outcome = await apply({ test })
    expect(outcome).toMatchObject({ passed: false, error: expect.stringMatching(error) as string })
    expect(outcome.invalid).toBeUndefined()
  })

  it.each(['code ==', 'nonsense == 1', 'code', 'json.version', 'code == "x"'])(
    'says that the check is wrong where the test is: %s',
    async (test) => {
      expect(await apply({ test })).toMatchObject({
        passed: false,
        invalid: true,
        error: expect.stringMatching(/^test\.expr: /) as string,
      })
    },
  )

  it.each([
    ['"version " + json.version', 'version 1.4.2'],
    ['code', '200'],
    ['json.jobs.map(job, job.late)', '[3,0]'],
    ['json.nothing', ''],
    ['elapsed', '150ms'],
    ['json.span', '{"seconds":"x","nanos":0}'],
    ['headers', '{"x-lag":"7"}'],
    ['[code, code + 1]', '[200,201]'],
    ['code == 200', 'true'],
  ])('shows what %s says', async (display, message) => {
    expect(await apply({ display })).toEqual({ ...PASSED, message })
  })

  it('shows the start of a long text', async () => {
    const { message = '' } = await apply({ display: '[content, content].map(a, [1,2,3,4,5,6,7].map(b, a))' })
    expect(message).toHaveLength(502)
  })

  it('fails where what is to be shown cannot be found, and keeps the other reasons', async () => {
    const failed: CheckOutcome = { passed: false, durationMs: 1, error: 'answered 500', message: '500' }
    expect(await apply({ test: 'code == 201', display: 'json.missing' }, failed)).toEqual({
      ...failed,
      error: 'answered 500; display.expr: No such key: missing; test.expr is false: code == 201',
    })
  })

  it('gives up on an expression that takes too long', async () => {
    expect((await apply({ test: 'content.matches("^(a+)+$")' })).error).toBe('test.expr: takes too long on this answer')
  })

  it('does not begin with one that is too large', async () => {
    expect(await apply({ test: Array.from({ length: 600 }, () => 'true').join(' && ') })).toMatchObject({
      invalid: true,
    })
  })

  it('looks at nothing where nothing came back or nothing is asked', async () => {
    const see = vi.fn(() => VARIABLES)
    const plain = CheckSpecSchema.http.parse({ url: 'http://a' })
    expect(await applyExpressions(PASSED, plain, see, lookUp)).toBe(PASSED)
    expect(see).not.toHaveBeenCalled()
    const refused: CheckOutcome = { passed: false, durationMs: 1, error: 'connection refused' }
    const asking = CheckSpecSchema.http.parse({ url: 'http://a', test: { expr: 'code == 200' } })
    expect(await applyExpressions(refused, asking, undefined, lookUp)).toBe(refused)
  })

  it.each(['json.constructor', 'json.__proto__', 'json.toString'])('finds no %s in an answer', async (display) => {
    expect(await apply({ display })).toMatchObject({ passed: false })
  })
})
