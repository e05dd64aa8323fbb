import { type CheckType, CHECK_TYPES, isRunnableType } from '@watchroom/shared/health/check-types'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { NO_PROGRAM_RULES, type ProgramRules } from '../../../../../web/src/api/useProgramRules.ts'
import { readSpecText, toSpecText } from '../../../../../web/src/editor/readSpecText.ts'
import { CanaryForm } from '../../../../../web/src/features/canaries/components/CanaryForm.tsx'
import { type Draft, findDraftProblems, NEW_DRAFT } from '../../../../../web/src/features/canaries/draft.ts'
import { describeNoRunner } from '../../../../../web/src/features/canaries/spec/findLimit.ts'
import { NEW_CHECKS } from '../../../../../web/src/features/canaries/spec/templates.ts'
import { createPage } from '../screens/page.ts'

// Whole forms on a machine that does other things beside.
vi.setConfig({ testTimeout: 30_000 })

let screen: RenderedScreen
let page: ReturnType<typeof createPage>
let server: FakeServer
/** The YAML that the form has written. */
const written = (): string => document.querySelector('pre')?.textContent ?? ''

interface FormProps {
  start: string
  isReadOnly: boolean
  programs: ProgramRules
}

function Form({ start, isReadOnly, programs }: FormProps) {
  const [draft, setDraft] = useState<Draft>({ ...NEW_DRAFT, name: 'shop', text: start })
  const read = readSpecText(draft.text)
  return (
    <>
      <CanaryForm
        draft={draft}
        spec={read.spec ?? {}}
        findings={findDraftProblems(draft, read, true)}
        isReadOnly={isReadOnly}
        programs={programs}
        onChange={setDraft}
      />
      <pre>{draft.text}</pre>
    </>
  )
}

async function open(start: string, isReadOnly = false, programs = NO_PROGRAM_RULES): Promise<void> {
  screen = await renderScreen(<Form start={start} isReadOnly={isReadOnly} programs={programs} />)
  page = createPage(screen)
}

const at = (label: string) => document.querySelector<HTMLElement>(`[aria-label="${label}"]`)
const choose = (label: string, value: string) => setField(at(label), value)

beforeEach(() => {
  server = createFakeServer()
  server.on('GET /api/db/connections_list', () => json([]))
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

describe('a form per family', () => {
  it.each(CHECK_TYPES)('asks at the field for what a new %s check cannot do without', async (type) => {
    await open(toSpecText({ [type]: [NEW_CHECKS[type]] }))
    const required = [...document.querySelectorAll('label')].filter((label) => label.textContent.includes('(required)'))
    expect(required.length).toBeGreaterThan(0)
    for (const { htmlFor } of required) {
      expect(document.querySelector(`[id="${htmlFor}-error"]`)?.textContent).toBe('This field is required')
    }
  })

  it.each(CHECK_TYPES)('says of %s whether the product’s own runner knows it', async (type: CheckType) => {
    await open(toSpecText({ [type]: [NEW_CHECKS[type]] }))
    expect(document.body.textContent.includes(describeNoRunner(type))).toBe(!isRunnableType(type))
  })

  it('offers a folder check the connections that lead to folders', async () => {
    const named = (name: string, type: string, namespace: string | null) => ({ id: name, name, type, namespace })
    server.on('GET /api/db/connections_list', () =>
      json([named('backups', 's3', 'prod'), named('drop', 'sftp', null), named('chat', 'slack', null)]),
    )
    await open('folder:\n  - name: a\n    path: /night\n')
    const offered = () =>
      [...(page.field(/^Connection/)?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)
    await screen.waitFor(() => expect(offered().slice(1)).toEqual(['backups (AWS S3)', 'drop (SFTP)']))
    await page.fill(/^Connection/, 'connection://prod/backups')
    expect(written()).toContain('connection: connection://prod/backups')
    await page.fill(/^Connection/, '')
    expect(written()).not.toContain('connection')
  })

  it('writes what an Elasticsearch check needs', async () => {
    await open(toSpecText({ elasticsearch: [NEW_CHECKS.elasticsearch] }))
    await page.fill(/^URL/, 'https://logs.example:9200')
    await page.fill(/^Index/, 'shop-*')
    await page.fill(/^Query/, '{"query": {}}')
    await page.fill(/^Documents expected/, '0')
    expect(readSpecText(written()).spec).toEqual({
      elasticsearch: [{ url: 'https://logs.example:9200', index: 'shop-*', query: '{"query": {}}', results: 0 }],
    })
  })
})

describe('response codes', () => {
  it('are chosen from the usual ones, several at once, in their order', async () => {
    await open('http:\n  - url: https://a\n')
    await page.press('404')
    await page.press('200')
    expect(page.group(/^Expected status codes/)?.querySelectorAll('[aria-pressed="true"]')).toHaveLength(2)
    expect(written()).toContain('responseCodes:\n      - 200\n      - 404\n')
    await page.press('404')
    await page.press('200')
    expect(written()).toBe('http:\n  - url: https://a\n')
  })

  it('keep and show others that the definition has, and take more', async () => {
    await open('http:\n  - url: https://a\n    responseCodes: [418, 200] # teapot\n')
    expect(page.button('418')?.getAttribute('aria-pressed')).toBe('true')
    await page.press('204')
    expect(written()).toContain('[ 200, 204, 418 ] # teapot')
    await screen.type(at('Another response code'), '304')
    await screen.press('Enter', at('Another response code'))
    expect(page.button('304')?.getAttribute('aria-pressed')).toBe('true')
    await page.press('418')
    expect(page.button('418')).toBeNull()
  })

  it('say at the field what is no code', async () => {
    await open('http:\n  - url: https://a\n    responseCodes: [200, soon]\n')
    expect(page.errorOf(/^Expected status codes/)).toBe('This field must be a number')
  })

  it('are only shown to whoever may not change them', async () => {
    await open('http:\n  - url: https://a\n    responseCodes: [200]\n', true)
    expect(page.button('200')?.matches('[disabled]')).toBe(true)
    expect(at('Another response code')).toBeNull()
  })
})

describe('a credential', () => {
  const start = 'http:\n  # the shop\n  - url: https://a\n    password: hunter2\n    strange: 1 # stays\n'

  it('is a value, a secret or a config map, and nothing else of the text changes', async () => {
    await open(start)
    expect(page.field(/^Password/)?.getAttribute('type')).toBe('password')
    await choose('Password, source', 'secretKeyRef')
    expect(page.errorOf(/^Password/)).toBe('This field is required')
    await screen.type(at('Password, name'), 'shop')
    await screen.type(at('Password, key'), 'pw')
    expect(page.errorOf(/^Password/)).toBeNull()
    expect(written()).toBe(
      'http:\n  # the shop\n  - url: https://a\n    password:\n      valueFrom:\n        secretKeyRef:\n          name: shop\n          key: pw\n    strange: 1 # stays\n',
    )
    await choose('Password, source', 'configMapKeyRef')
    expect(written()).toContain('configMapKeyRef:\n          name: shop\n          key: pw')
    expect(page.text()).toContain('Read by a backend in the cluster.')
    await choose('Password, source', 'value')
    // What was typed before is back.
    expect(written()).toBe(start)
  })

  it('may be the value of a header', async () => {
    await open('http:\n  - url: https://a\n    headers:\n      X-Token: abcd\n')
    expect(at('Header 1, value')?.getAttribute('type')).toBe('password')
    await choose('Header 1, value, source', 'secretKeyRef')
    await screen.type(at('Header 1, value, name'), 'shop')
    expect(page.errorOf(/^Header 1, value, key/)).toBe('This field is required')
    await screen.type(at('Header 1, value, key'), 'token')
    expect(page.errorOf(/^Header 1, value, key/)).toBeNull()
    expect(readSpecText(written()).spec).toEqual({
      http: [
        {
          url: 'https://a',
          headers: [{ name: 'X-Token', valueFrom: { secretKeyRef: { name: 'shop', key: 'token' } } }],
        },
      ],
    })
  })

  it('that is stored is said to be, and stays until something else is typed', async () => {
    await open('http:\n  - url: https://a\n    headers:\n      - name: X-Token\n        value: "***"\n')
    const field = at('Header 1, value')
    expect(field?.getAttribute('placeholder')).toBe('Stored, not shown; type to replace')
    expect(field).toHaveProperty('value', '')
    expect(at('Show header 1, value')).toBeNull()
    expect(readSpecText(written()).spec).toMatchObject({ http: [{ headers: [{ name: 'X-Token', value: '***' }] }] })
    await screen.type(field, 'new')
    expect(readSpecText(written()).spec).toMatchObject({ http: [{ headers: [{ name: 'X-Token', value: 'new' }] }] })
  })

  it('of a kind that the form cannot show is left to the YAML view', async () => {
    await open('http:\n  - url: https://a\n    password:\n      valueFrom:\n        helmRef: { name: a, key: b }\n')
    expect(page.text()).toContain('Only the YAML view can show this value.')
    expect(at('Password, source')).toBeNull()
  })
})

describe('the keyboard', () => {
  it('stays where something is added, taken out or unfolded', async () => {
    await open('http:\n  - url: https://a\n    responseCodes: [418]\n')
    await page.press('Add header')
    expect(document.activeElement).toBe(at('Header 1, name'))
    await page.press('Remove header 1')
    expect(document.activeElement).toBe(page.button('Add header'))
    await page.press('418')
    expect(document.activeElement).toBe(at('Another response code'))
    await page.press('Show sign-in')
    expect(document.activeElement).toBe(at('User name, source'))
  })
})

describe('a template', () => {
  it('is written in one of four languages or not at all, and the text goes along', async () => {
    await open('http:\n  - url: https://a\n')
    await page.fill(/^Test/, 'expr')
    expect(page.errorOf(/^Test/)).toBe('This field is required')
    expect(page.text()).toContain('Available: code, content, json')
    await page.fill(/^Test/, 'code == 200')
    expect(written()).toBe('http:\n  - url: https://a\n    test:\n      expr: code == 200\n')
    await choose('Test, language', 'javascript')
    expect(written()).toContain('test:\n      javascript: code == 200\n')
    expect(page.text()).toContain('Javascript is evaluated by other backends.')
    await choose('Test, language', '')
    expect(written()).toBe('http:\n  - url: https://a\n')
  })

  it('offers none, Go Template, Javascript, Expr and JSONPath for test, display and transform', async () => {
    await open('http:\n  - url: https://a\n    transform: {expr: "[]"}\n')
    for (const label of [/^Test/, /^Message/]) {
      const options = [...(page.field(label)?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)
      expect(options).toEqual(['None', 'Go Template', 'Javascript', 'Expr', 'JSONPath'])
    }
    expect(page.field(/^Transformation/)?.value).toBe('[]')
    expect(page.text()).toContain('Done by other backends.')
  })
})

describe('programs that one may not save', () => {
  const REASON = 'Only an administrator may save what executes programs (exec).'
  const SPEC = { exec: [{ name: 'script', script: 'true' }], tcp: [{ name: 'port', endpoint: 'db:5432' }] }

  it('are not among the checks to add, and the reason is', async () => {
    await open(toSpecText(SPEC), false, { refusal: REASON, limit: null })
    await page.press('Add another check')
    const items = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')]
    const disabled = items.filter((item) => item.getAttribute('aria-disabled') === 'true')
    expect(disabled.map(({ textContent }) => textContent)).toEqual([`Exec: ${REASON}`])
    expect(items).toHaveLength(CHECK_TYPES.length)
    await screen.click(disabled[0] ?? null)
    expect(readSpecText(written()).spec).toEqual(SPEC)
  })

  it('can be taken away', async () => {
    await open(toSpecText(SPEC), false, { refusal: REASON, limit: null })
    await page.press('Remove script')
    expect(readSpecText(written()).spec).toEqual({ tcp: SPEC.tcp })
  })
})
