import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pressEnter } from '#support/web/pressEnter.ts'
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

async function open(spec: object, parameters: Record<string, unknown> = {}, more: object = {}): Promise<void> {
  server.on('GET /api/db/playbooks', () => json([{ id: 'p1', name: 'scale', title: 'Scale out', spec, ...more }]))
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
    // Of a button that loads, Blueprint's styles hide every word.
    expect(runButton()?.classList.contains('bp6-loading')).toBe(false)
    expect([asked, runButton()?.disabled]).toEqual([1, true])
    answer(json({ run_id: 'r9' }, 201))
    await screen.waitFor(() => expect(navigate).toHaveBeenCalledTimes(1))
  })

  it('says that there is no such playbook', async () => {
    server.on('GET /api/db/playbooks', () => json([]))
    screen = await renderScreen(<RunPlaybookDialog playbookId="p1" onClose={() => undefined} />)
    await screen.waitFor(() => expect(said()).toContain('There’s no such playbook.'))
    expect(said()).not.toContain('Playbook Parameters')
    expect(runButton()?.disabled).toBe(true)
  })

  it('says that people and teams could not be read, where one is asked for', async () => {
    for (const table of ['people', 'teams']) server.on(`GET /api/db/${table}`, () => json({ message: 'no' }, 500))
    await open({
      parameters: [
        { name: 'person', type: 'people' },
        { name: 'group', type: 'team' },
      ],
    })
    await screen.waitFor(() => expect(said()).toContain('People could not be read.'))
    await screen.waitFor(() => expect(said()).toContain('Teams could not be read.'))
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

  it('says that a deleted playbook cannot run, before anything is filled in', async () => {
    await open({ parameters: [{ name: 'who', required: true }] }, {}, { deleted_at: '2025-12-31T00:00:00Z' })
    await screen.waitFor(() => expect(said()).toContain('This playbook was deleted'))
    expect(runButton()?.disabled).toBe(true)
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

  it('keeps what was written when another resource is chosen, and takes its defaults for the rest', async () => {
    const ids = [CHECK, CHECK.replace(/1$/, '2')]
    server.on('POST /api/resources/search', () =>
      json({ checks: ids.map((id, index) => ({ id, name: `check ${index}`, type: 'http', namespace: 'shop' })) }),
    )
    server.on('POST /api/playbook/p1/params', (_, init) => {
      const { check_id: id } = JSON.parse(init.body as string) as { check_id: string }
      return json({ params: [{ name: 'path', default: `of ${ids.indexOf(id)}` }, { name: 'reason' }] })
    })
    await open({ checks: [{ types: ['http'] }] })
    await screen.waitFor(() => expect(document.querySelectorAll('[role="dialog"] input[type="radio"]')).toHaveLength(2))
    const valueOf = (label: string) => (field(label) as HTMLInputElement | null)?.value
    const choose = async (index: number) => {
      await screen.click(document.querySelectorAll('[role="dialog"] input[type="radio"]')[index] ?? null)
      await screen.waitFor(() => expect(valueOf('path')).toBe(`of ${index}`))
    }
    await choose(0)
    await setField(field('reason'), 'too slow')
    for (const index of [1, 0]) {
      await choose(index)
      expect(valueOf('reason')).toBe('too slow')
    }
    await screen.waitFor(() => expect(runButton()?.disabled).toBe(false))
    await screen.click(runButton())
    await screen.waitFor(() =>
      expect(bodies.at(-1)).toEqual({ id: 'p1', check_id: CHECK, params: { path: 'of 0', reason: 'too slow' } }),
    )
  })

  it('has what was typed again after a session that ended, but no secret', async () => {
    const spec = {
      actions: [],
      parameters: [{ name: 'reason' }, { name: 'token', type: 'secret' }, { name: 'replicas', default: '2' }],
    }
    const valueOf = (label: string) => (field(label) as HTMLInputElement | null)?.value
    await open(spec)
    await screen.waitFor(() => expect(valueOf('replicas')).toBe('2'))
    await setField(field('token'), 's3cret')
    await setField(field('reason'), 'too slow')
    await screen.close()
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('s3cret')
    await open(spec)
    await screen.waitFor(() => expect(valueOf('reason')).toBe('too slow'))
    expect([valueOf('token'), valueOf('replicas')]).toEqual(['', '2'])
    expect(said()).toContain('Your unsaved changes are back.')
  })

  it('keeps no secret while it asks anew for another resource', async () => {
    const checks = ['Payments', 'Parcels'].map((name, at) => ({ id: `${CHECK.slice(0, -1)}${at}`, name, type: 'http' }))
    server.on('POST /api/resources/search', () => json({ checks }))
    let isHeld = false
    server.on('POST /api/playbook/p1/params', () =>
      isHeld ? new Promise<Response>(() => {}) : json({ params: [{ name: 'token', type: 'secret' }] }),
    )
    await open({ checks: [{ types: ['http'] }] })
    const pick = async (at: number): Promise<void> => {
      const radio = () => document.querySelectorAll('[role="dialog"] input[type="radio"]')[at] ?? null
      await screen.waitFor(() => expect(radio()).not.toBeNull())
      await screen.click(radio())
    }
    await pick(0)
    await screen.waitFor(() => expect(field('token')).not.toBeNull())
    await setField(field('token'), 's3cret')
    isHeld = true
    await pick(1)
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('s3cret')
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

  it('keeps the resource that was picked in sight by its name, whatever is searched for next', async () => {
    server.on('POST /api/resources/search', (_, init) => {
      const { checks } = JSON.parse(init.body as string) as { checks: { search?: string }[] }
      const isFirst = checks[0]?.search === undefined
      return json({ checks: isFirst ? [{ id: CHECK, name: 'Payments', type: 'http', namespace: 'shop' }] : [] })
    })
    server.on('POST /api/playbook/p1/params', () => json({ params: [] }))
    await open({ checks: [{ types: ['http'] }] })
    await screen.waitFor(() => expect(said()).toContain('http · shop'))
    await screen.click(document.querySelector('[role="dialog"] input[type="radio"]'))
    await setField(document.querySelector('[role="dialog"] input[placeholder^="Search for"]'), 'labels')
    await screen.advance(100)
    await screen.waitFor(() => expect(said()).toContain('No check matches this search'))
    expect(document.querySelector('input[type="radio"]:checked')?.closest('label')?.textContent).toBe(
      'Paymentshttp · shop',
    )
    expect(server.requests.filter((line) => line.startsWith('GET /api/db/checks'))).toEqual([])
  })

  it('searches when Enter is pressed in the search, and does not run on what was chosen before', async () => {
    const searches: string[] = []
    server.on('POST /api/resources/search', (_, init) => {
      const { checks } = JSON.parse(init.body as string) as { checks: { search?: string }[] }
      searches.push(checks[0]?.search ?? '')
      return json({ checks: [{ id: CHECK, name: 'Payments', type: 'http', namespace: 'shop' }] })
    })
    server.on('POST /api/playbook/p1/params', () => json({ params: [] }))
    await open({ checks: [{ types: ['http'] }] })
    await screen.waitFor(() => expect(said()).toContain('http · shop'))
    await screen.click(document.querySelector('[role="dialog"] input[type="radio"]'))
    await screen.waitFor(() => expect(runButton()?.disabled).toBe(false))
    const search = document.querySelector<HTMLInputElement>('[role="dialog"] input[placeholder^="Search for"]')
    await setField(search, 'labels')
    await pressEnter(search)
    await screen.waitFor(() => expect(searches).toEqual(['', 'labels']))
    expect([bodies, navigate.mock.calls]).toEqual([[], []])
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
