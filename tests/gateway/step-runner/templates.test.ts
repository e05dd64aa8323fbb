import { describe, expect, it } from 'vitest'

import { evaluateLook } from '../../../gateway/src/check-runner/evaluateLook.ts'
import type { LookUp } from '../../../gateway/src/check-runner/lookApart.ts'
import {
  fillQuery,
  fillScript,
  fillTemplate,
  isTrue,
  TemplateFault,
} from '../../../gateway/src/step-runner/templates.ts'

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

describe('fillScript', () => {
  it.each([
    ['echo {{ params.who }}', 'echo "${WR_1}"'],
    ['echo "x {{ params.who }} y" {{ params.count }}', 'echo "x ${WR_1} y" "${WR_2}"'],
    [`echo 'it''s' "don't" {{ params.who }}`, `echo 'it''s' "don't" "\${WR_1}"`],
    [`# don't\necho {{ params.who }}`, `# don't\necho "\${WR_1}"`],
    [`echo \\' {{ params.who }}`, `echo \\' "\${WR_1}"`],
    ['cat <<END\nx {{ params.who }}\nEND\necho {{ params.who }}', 'cat <<END\nx ${WR_1}\nEND\necho "${WR_2}"'],
    ['x=$((1<<4))\necho {{ params.who }}', 'x=$((1<<4))\necho "${WR_1}"'],
    ['echo a#b {{ params.who }}', 'echo a#b "${WR_1}"'],
  ])('of %j makes %j', async (script, expected) => {
    const filled = await fillScript(script, scope, lookUp)
    expect(filled.script).toBe(expected)
    expect(filled.env['WR_1']).toBe('a b')
  })

  it.each([`echo '{{ params.who }}'`, `cat <<'END'\n{{ params.who }}\nEND`, `cat <<\\END\n{{ params.who }}\nEND`])(
    'refuses %j',
    async (script) => {
      await expect(fillScript(script, scope, lookUp)).rejects.toThrow('would be text of the script')
    },
  )
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
