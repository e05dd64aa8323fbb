import { isEnded, PlaybookSpecSchema, targetKindsOf, toPlaybookJsonSchema } from '@watchroom/shared/playbooks'
import { describe, expect, it } from 'vitest'

const faultsOf = (spec: unknown) =>
  PlaybookSpecSchema.safeParse(spec).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

const step = { name: 'hello', exec: { script: 'echo hello' } }

describe('PlaybookSpecSchema', () => {
  it('takes what a step of each kind says', () => {
    const actions = [
      step,
      { name: 'ask', http: { url: 'http://127.0.0.1/{{ params.who }}', method: 'POST', body: '{}' } },
      { name: 'read', sql: { connection: 'connection://default/db', query: 'select 1' } },
      { name: 'wait', delay: '1h30m', if: 'params.who == "a"' },
      { name: 'agree', approval: { approvers: { teams: ['Platform'] } } },
      { name: 'tell', notification: { title: 'Done', message: '{{ run.id }}', people: ['a@example.com'] } },
    ]
    expect(faultsOf({ actions, checks: [{ types: ['http'] }] })).toBeUndefined()
  })

  it.each([
    { actions: [], fault: /^actions: / },
    { actions: [{ name: 'none' }], fault: /^actions\.0: expected exactly one of .*, found none/ },
    { actions: [{ ...step, delay: '1s' }], fault: /^actions\.0: .* found exec and delay/ },
    { actions: [{ ...step, nonsense: {} }], fault: /^actions\.0: .*nonsense/ },
    { actions: [step, step], fault: /^actions\.1\.name: "hello" is there twice/ },
    { actions: [{ ...step, timeout: `${'9'.repeat(400)}d` }], fault: /^actions\.0\.timeout: expected a duration/ },
    { actions: [{ name: 'wait', delay: '200y' }], fault: /^actions\.0\.delay: expected a duration/ },
    { actions: [{ name: 'wait', delay: 'soon' }], fault: /^actions\.0\.delay: expected a duration/ },
  ])('names the place of what is wrong: $fault', ({ actions, fault }) => {
    expect(faultsOf({ actions })).toContainEqual(expect.stringMatching(fault))
  })

  it('has a JSON schema that names each kind of a step', () => {
    expect(JSON.stringify(toPlaybookJsonSchema())).toContain('"notification"')
  })
})

describe('targetKindsOf', () => {
  it('tells what a playbook runs on by its lists of selectors', () => {
    expect(targetKindsOf({ configs: [{ types: ['File'] }], checks: [{}], components: [] })).toEqual(['config', 'check'])
  })
})

describe('isEnded', () => {
  it.each(['completed', 'failed', 'cancelled', 'skipped'])('is true of %s', (status) =>
    expect(isEnded(status)).toBe(true),
  )
  it.each(['pending', 'scheduled', 'running', 'waiting', 'sleeping', 'a word of tomorrow'])(
    'is false of %s',
    (status) => expect(isEnded(status)).toBe(false),
  )
})
