import { describe, expect, it } from 'vitest'

import { evaluateLook } from '../../../../gateway/src/check-runner/evaluateLook.ts'
import type { LookUp } from '../../../../gateway/src/check-runner/lookApart.ts'
import { composeMessage } from '../../../../gateway/src/embedded-backend/notifications/composeMessage.ts'
import { checkNodes, fillNodes } from '../../../../gateway/src/embedded-backend/notifications/fillTemplate.ts'
import { judgeFailure } from '../../../../gateway/src/embedded-backend/notifications/message.ts'
import { parseTemplate } from '../../../../gateway/src/embedded-backend/notifications/parseTemplate.ts'
import { toSubject } from '../../../../gateway/src/embedded-backend/notifications/subject.ts'

const lookUp: LookUp = async (look) => evaluateLook(look)
const SCOPE = {
  check: { name: 'api', labels: { team: 'pay' } },
  status: 'unhealthy',
  members: [{ name: 'a' }, { name: 'b' }],
  empty: [],
}

async function fill(text: string, scope: Readonly<Record<string, unknown>> = SCOPE): Promise<string> {
  const parsed = parseTemplate(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  return fillNodes(parsed.value, scope, lookUp)
}

const problemOf = async (text: string): Promise<unknown> => {
  const parsed = parseTemplate(text)
  return parsed.ok ? checkNodes(parsed.value, SCOPE, lookUp) : parsed.error
}

describe('templates of notifications', () => {
  it('fill names with and without leading dots, and whole expressions', async () => {
    expect(await fill('{{ .check.name }} of {{check.labels.team}}: {{ status == "unhealthy" ? "down" : "up" }}')).toBe(
      'api of pay: down',
    )
    expect(await fill('{{ .check.name + "}}" }}')).toBe('api}}')
    expect(await fill('[{{ .check.missing }}]')).toBe('[]')
  })

  it('choose by if, else if and else', async () => {
    const text =
      '{{ if status == "healthy" }}up{{ else if .check.labels.team }}{{ .check.labels.team }}{{ else }}?{{ end }}'
    expect(await fill(text)).toBe('pay')
    expect(await fill('{{ if empty }}some{{ else }}none{{ end }}')).toBe('none')
  })

  it('go over lists by range, in which a dot is the item and $ everything else', async () => {
    expect(await fill('{{ range .members }}- {{ .name }} ({{ $.status }})\n{{ end }}')).toBe(
      '- a (unhealthy)\n- b (unhealthy)\n',
    )
    expect(await fill('{{ range members.map(m, m.name) }}{{ . }},{{ end }}')).toBe('a,b,')
    expect(await fill('a  {{- "b" -}}  c')).toBe('abc')
  })

  it.each([
    ['a\n  {{ .check.name', { line: 2, column: 3, message: expect.stringContaining('never closed') }],
    ['{{ if status }}x', { line: 1, column: 1, message: expect.stringContaining('no {{ end }}') }],
    ['x\n{{ end }}', { line: 2, column: 1, message: expect.stringContaining('"end"') }],
    ['{{ with .check }}{{ end }}', { line: 1, column: 1, message: expect.stringContaining('"with"') }],
    ['ok {{ }}', { line: 1, column: 4, message: expect.stringContaining('missing') }],
    ['ok\n{{ check.name + }}', { line: 2, column: 1, message: expect.any(String) }],
    ['{{ unknown_thing(1) }}', { line: 1, column: 1, message: expect.any(String) }],
    ['{{ if check.name = "a" }}{{ end }}', { line: 1, column: 1, message: expect.any(String) }],
  ])('are refused with line and column: %j', async (text, problem) => {
    expect(await problemOf(text)).toMatchObject(problem)
  })

  it('take no other template than they can fill', async () => {
    expect(await problemOf('{{ if .check.labels }}{{ range $.members }}{{ .name }}{{ end }}{{ end }}')).toBeNull()
    expect(await problemOf(`${'{{ if status }}'.repeat(11)}${'{{ end }}'.repeat(11)}`)).toMatchObject({
      message: 'This is nested too deeply.',
    })
    expect(await problemOf('x'.repeat(20_001))).toMatchObject({ message: expect.stringContaining('longer than') })
  })

  it('end what grows without end', async () => {
    const list = Array.from({ length: 100 }, (_, index) => index)
    await expect(fill('{{ range list }}'.repeat(4) + '{{ . }}' + '{{ end }}'.repeat(4), { list })).rejects.toThrow(
      'does too much',
    )
    await expect(fill('{{ range list }}{{ long }}{{ end }}', { list, long: 'x'.repeat(1_000) })).rejects.toThrow(
      'too long',
    )
    await expect(fill('{{ range list }}x{{ end }}', { list: [...list, 100] })).rejects.toThrow('at most 100')
    await expect(fill('{{ range text }}x{{ end }}', { text: 'abc' })).rejects.toThrow('line 1, column 1')
  })

  it('list the first hundred of a large group', async () => {
    const event = 'check.failed'
    const all = Array.from({ length: 150 }, (_, index) =>
      toSubject({ kind: 'check', id: String(index) }, { name: `c${index}` }, { name: event, properties: {} }),
    )
    const [subject, ...others] = all
    if (!subject) throw new Error('there is none')
    const rule = { title: null, template: '{{ range .members }}{{ .name }} {{ end }}' }
    const { title, text } = await composeMessage({ rule, event, subject, others }, { lookUp, link: (path) => path })
    expect(text.trim().split(' ')).toHaveLength(100)
    expect(title).toBe('Check c0 is failing, and 149 more')
  })

  it('that could not be asked now are filled later; those that are wrong never', async () => {
    const failing = (problem: object) =>
      fillNodes([{ kind: 'value', expression: { source: '1 + 1', line: 1, column: 1 } }], {}, async () => ({
        problem: { text: 'no', isMalformed: false, ...problem },
      })).catch((error: unknown) => judgeFailure(error, 0).isFinal)
    expect([await failing({}), await failing({ isPassing: true })]).toEqual([true, false])
  })
})
