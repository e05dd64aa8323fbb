import { describe, expect, it } from 'vitest'

import { evaluateLook } from '../../../gateway/src/check-runner/evaluateLook.ts'
import type { LookUp } from '../../../gateway/src/check-runner/lookApart.ts'
import { TemplateFault } from '../../../gateway/src/step-runner/templateFault.ts'
import { fillQuery, fillTemplate, isTrue } from '../../../gateway/src/step-runner/templates.ts'

/** In this process: what is asked here is known to end. */
const lookUp: LookUp = (look) => Promise.resolve(evaluateLook(look))
const scope = {
  params: { who: 'a b', 'with-dash': 'c', count: 3, on: true, none: null },
  config: { tags: { zone: 'eu' } },
}

describe('fillTemplate', () => {
  it.each([
    ['nothing here', 'nothing here'],
    ['{{ params.who }}!', 'a b!'],
    ['{{.params.who}} {{- params.with-dash -}}', 'a b c'],
    ['{{ params.count }} {{ params.on }} [{{ params.none }}{{ params.gone }}]', '3 true []'],
    ['{{ config.tags }}', '{"zone":"eu"}'],
    ['{{ params.who.size() > 2 ? "long" : "short" }}', 'long'],
    ['{{ not closed', '{{ not closed'],
    ['{{ params.constructor }}{{ __proto__.x }}', ''],
  ])('makes of %j %j', async (template, expected) => {
    expect(await fillTemplate(template, scope, lookUp)).toBe(expected)
  })

  it('says what is wrong with an expression', async () => {
    await expect(fillTemplate('{{ 1 + }}', scope, lookUp)).rejects.toThrow(TemplateFault)
  })
})

describe('fillQuery', () => {
  it('makes parameters of values', async () => {
    const query = `select * from t where a = {{ params.who }} and b = 'x' and c = {{ params.count }}`
    expect(await fillQuery(query, scope, lookUp)).toEqual({
      text: `select * from t where a = $1 and b = 'x' and c = $2`,
      values: ['a b', '3'],
    })
  })

  it.each([`select '{{ params.who }}'`, `select "{{ params.who }}"`, `select 'it''s {{ params.who }}'`])(
    'refuses %j',
    async (query) => {
      await expect(fillQuery(query, scope, lookUp)).rejects.toThrow('stands without quotes')
    },
  )
})

it('asks whether an expression is true', async () => {
  expect(await isTrue('params.count == 3.0', scope, lookUp)).toBe(true)
  expect(await isTrue('config.tags.zone == "us"', scope, lookUp)).toBe(false)
})
