import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { RunPlaybookDialog } from '../../../../../web/src/features/playbooks/components/RunPlaybookDialog.tsx'

// The editor draws nothing without a real browser.
vi.mock('../../../../../web/src/editor/YamlEditor.tsx', () => ({
  YamlEditor: ({ value, size, schema }: { value: string; size?: string; schema?: object }) => (
    <textarea aria-label={size} readOnly value={value} data-schema={JSON.stringify(schema)} />
  ),
}))
const { navigate } = vi.hoisted(() => ({ navigate: vi.fn<(place: object) => Promise<void>>() }))
vi.mock('@tanstack/react-router', async (load) => ({ ...(await load<object>()), useNavigate: () => navigate }))

const CHECK = '018f0000-0000-7000-8000-0000000000d1'

let screen: RenderedScreen
let server: FakeServer
const bodies: unknown[] = []
beforeEach(() => {
  bodies.length = 0
  navigate.mockClear()
  server = createFakeServer()
  server.on('GET /api/db/people', () => json([{ id: 'ada', name: 'Ada Byron', email: 'ada@example.org' }]))
  server.on('GET /api/db/teams', () => json([{ id: 'sre', name: 'SRE' }]))
  server.on('POST /api/playbook/run', (_, init) => {
    bodies.push(JSON.parse(init.body as string))
    return json({ run_id: 'r9' }, 201)
  })
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(spec: object, parameters: Record<string, unknown> = {}): Promise<void> {
  server.on('GET /api/db/playbooks', () => json([{ id: 'p1', name: 'scale', title: 'Scale out', spec }]))
  screen = await renderScreen(<RunPlaybookDialog playbookId="p1" parameters={parameters} onClose={() => undefined} />)
  await screen.waitFor(() => expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Scale out'))
}
const said = (): string => document.querySelector('[role="dialog"]')?.textContent ?? ''
const runButton = (): HTMLButtonElement | null => document.querySelector('[role="dialog"] button[type="submit"]')
const field = (label: string): Element | null => {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent.startsWith(label))
  return found ? document.getElementById(found.htmlFor) : null
}

describe('the dialog that runs a playbook', () => {
  it('says that there are no parameters, and runs', async () => {
    await open({ actions: [] })
    await screen.waitFor(() => expect(said()).toContain('No parameters for this playbook.'))
    await screen.click(runButton())
    await screen.waitFor(() =>
      expect(navigate).toHaveBeenCalledWith({ to: '/playbooks/runs/$id', params: { id: 'r9' } }),
    )
    expect(bodies).toEqual([{ id: 'p1', params: {} }])
  })

  it('says Running... while the run is asked for, once, however often it is pressed', async () => {
    let answer = (_: Response): void => undefined
    let asked = 0
    server.on('POST /api/playbook/run', () => {
      asked += 1
      return new Promise<Response>((resolve) => {
        answer = resolve
      })
    })
    await open({ actions: [] })
    await screen.click(runButton(), 2)
    await screen.waitFor(() => expect(runButton()?.textContent).toBe('Running...'))
    expect([asked, runButton()?.disabled]).toEqual([1, true])
    answer(json({ run_id: 'r9' }, 201))
    await screen.waitFor(() => expect(navigate).toHaveBeenCalledTimes(1))
  })

  it('has a control for every type and format', async () => {
    await open({
      parameters: [
        { name: 'line' },
        { name: 'text', properties: { multiline: true } },
        { name: 'flag', type: 'checkbox' },
        { name: 'one', type: 'list', properties: { options: [{ label: 'Small', value: 's' }] } },
        { name: 'person', type: 'people' },
        { name: 'group', type: 'team' },
        { name: 'thing', type: 'component' },
        { name: 'item', type: 'config' },
        { name: 'probe', type: 'check' },
        { name: 'body', type: 'code', properties: { size: 'small' }, default: { a: 1 } },
        { name: 'key', type: 'secret' },
        { name: 'memory', properties: { format: 'bytes' }, default: '512Mi' },
        { name: 'cpu', properties: { format: 'millicores' }, default: '250m' },
        { name: 'mail', properties: { format: 'email' } },
        { name: 'new', type: 'of tomorrow' },
      ],
    })
    await screen.waitFor(() => expect(said()).toContain('Ada Byron'))
    await screen.waitFor(() => expect(said()).toContain('SRE'))
    await screen.waitFor(() =>
      expect(document.querySelector<HTMLTextAreaElement>('textarea[aria-label="small"]')?.value).toBe('a: 1\n'),
    )
    const kinds = ['line', 'text', 'key', 'memory', 'cpu', 'mail', 'new'].map((name) => {
      const control = field(name)
      return control instanceof HTMLInputElement ? `${control.type} ${control.value}`.trim() : control?.tagName
    })
    expect(kinds).toEqual(['text', 'TEXTAREA', 'password', 'text 512', 'text 250', 'email', 'text'])
    expect(document.querySelectorAll('[role="dialog"] input[type="checkbox"]')).toHaveLength(1)
    expect(said()).toContain('Small')
    expect(document.querySelectorAll('[role="dialog"] input[placeholder^="Search for"]')).toHaveLength(3)
    await setField(field('cpu'), '500')
    await screen.click(runButton())
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({ params: { cpu: '500m', memory: '512Mi', flag: 'false', body: 'a: 1\n' } })
  })

  it('cannot be sent while something is missing or wrong, and says what', async () => {
    await open({ parameters: [{ name: 'who', label: 'Who', required: true, properties: { format: 'dns1123' } }] })
    await screen.waitFor(() => expect(said()).toContain('Who: This field is required'))
    expect(runButton()?.disabled).toBe(true)
    await setField(field('Who'), 'Web')
    expect(said()).toContain('Who: Must be lower case letters')
    await setField(field('Who'), 'web')
    expect(runButton()?.disabled).toBe(false)
  })

  it('asks for a resource first, then for what the playbook asks of it', async () => {
    server.on('POST /api/resources/search', (_, init) => {
      bodies.push(JSON.parse(init.body as string))
      return json({ checks: [{ id: CHECK, name: 'Payments', type: 'http', namespace: 'shop' }] })
    })
    server.on('POST /api/playbook/p1/params', () => json({ params: [{ name: 'path', default: 'Payments' }] }))
    await open({ checks: [{ types: ['http'] }] })
    await screen.waitFor(() => expect(said()).toContain('http · shop'))
    expect(bodies).toEqual([{ limit: 50, checks: [{ agent: 'all', types: ['http'] }] }])
    expect(said()).toContain('Please select a resource to see the parameters.')
    expect(runButton()?.disabled).toBe(true)
    await screen.click(document.querySelector('[role="dialog"] input[type="radio"]'))
    await screen.waitFor(() => expect(field('path')).toBeInstanceOf(HTMLInputElement))
    await screen.waitFor(() => expect(runButton()?.disabled).toBe(false))
    await screen.click(runButton())
    await screen.waitFor(() =>
      expect(bodies.at(-1)).toEqual({ id: 'p1', check_id: CHECK, params: { path: 'Payments' } }),
    )
  })

  it('looks for resources 100 ms after the last key', async () => {
    const searches: string[] = []
    server.on('POST /api/resources/search', (_, init) => {
      const { checks } = JSON.parse(init.body as string) as { checks: { search?: string }[] }
      searches.push(checks[0]?.search ?? '')
      return json({ checks: [] })
    })
    await open({ parameters: [{ name: 'probe', type: 'check', properties: { filter: [{ types: ['http'] }] } }] })
    await screen.waitFor(() => expect(searches).toEqual(['']))
    const search = document.querySelector('[role="dialog"] input[placeholder^="Search for"]')
    await setField(search, 'pay')
    await screen.advance(90)
    expect(searches).toEqual([''])
    await setField(search, 'paym')
    await screen.advance(90)
    expect(searches).toEqual([''])
    await screen.advance(20)
    await screen.waitFor(() => expect(searches).toEqual(['', 'paym']))
  })

  it('checks code against a schema of this server, and asks no other', async () => {
    server.on('GET /api/schemas/values.schema.json', () => json({ type: 'object', required: ['a'] }))
    const code = (name: string, jsonSchemaUrl: string) => ({
      name,
      type: 'code',
      properties: { size: name, jsonSchemaUrl },
    })
    await open({
      parameters: [
        code('small', '/schemas/values.schema.json'),
        code('medium', 'https://evil.example.org/schemas/values.schema.json'),
      ],
    })
    const editor = (size: string) => document.querySelector<HTMLTextAreaElement>(`textarea[aria-label="${size}"]`)
    await screen.waitFor(() => expect(editor('small')?.dataset['schema']).toBe('{"type":"object","required":["a"]}'))
    expect(editor('medium')?.dataset['schema']).toBeUndefined()
    expect(said()).toContain('Not validated: this server doesn’t have its schema.')
    expect(server.requests.filter((line) => line.includes('schema'))).toHaveLength(1)
  })

  it('starts with the values of the run before', async () => {
    await open({ parameters: [{ name: 'who', default: 'world' }] }, { who: 'ada', old: 'x' })
    await screen.waitFor(() => expect((field('who') as HTMLInputElement | null)?.value).toBe('ada'))
    await screen.click(runButton())
    await screen.waitFor(() => expect(bodies).toEqual([{ id: 'p1', params: { who: 'ada' } }]))
  })
})
