import { ScraperSpecSchema, SCRAPER_FAMILIES, type ScraperFamily } from '@watchroom/shared/specs'
import { act, useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { backendFactsKey } from '../../../../web/src/api/queryKeys.ts'
import { readSpecText } from '../../../../web/src/editor/readSpecText.ts'
import { FAMILY_FORMS, fieldsOf } from '../../../../web/src/features/scrapers/familyForms.ts'
import { ScraperForm } from '../../../../web/src/features/scrapers/ScraperForm.tsx'

// Whole forms on a machine that does other things beside.
vi.setConfig({ testTimeout: 30_000 })

let screen: RenderedScreen
/** The YAML that the form has written. */
let text = ''
afterEach(() => screen.close())

interface FormProps {
  start: string
  wasTried: boolean
  isReadOnly: boolean
}

function Form({ start, wasTried, isReadOnly }: FormProps) {
  const [current, setCurrent] = useState(start)
  return (
    <ScraperForm
      text={current}
      spec={readSpecText(current).spec ?? {}}
      wasTried={wasTried}
      isReadOnly={isReadOnly}
      onChange={(next) => {
        text = next
        setCurrent(next)
      }}
    />
  )
}

async function open(start: string, { wasTried = true, isReadOnly = false } = {}): Promise<void> {
  text = start
  screen = await renderScreen(<Form start={start} wasTried={wasTried} isReadOnly={isReadOnly} />)
}
const page = () => pageOf()
/** By its label, with or without the word that it is required. */
const field = (label: string) => page().field(new RegExp(`^${label}\\s*(?:\\(required\\))?$`, 'u'))
const errorOf = (control: HTMLElement): string | undefined => {
  const ids = (control.getAttribute('aria-describedby') ?? '').split(' ')
  return ids.map((id) => (id.endsWith('-error') ? document.getElementById(id)?.textContent : undefined)).find(Boolean)
}
async function add(family: ScraperFamily): Promise<void> {
  await screen.click(page().get('button', 'Add a source'))
  await screen.waitFor(() => expect(page().all('menuitem').length).toBeGreaterThan(1))
  await screen.click(page().get('menuitem', FAMILY_FORMS.get(family)?.title ?? ''))
}

const REQUIRED = 'This field is required'
const FAMILIES: [ScraperFamily, Record<string, string>][] = [
  ['file', { Format: 'yaml', Icon: 'file' }],
  ['http', { URL: 'https://shop.example.com/' }],
  ['sql', { Connection: 'connection://default/shop', Type: 'Shop::Customer', Id: '$.id', Query: 'SELECT 1' }],
  ['exec', { Script: 'echo "{}"' }],
  ['kubernetes', { 'Cluster name': 'north' }],
  ['kubernetesFile', {}],
  ['aws', {}],
  ['azure', {}],
  ['azureDevops', {}],
  ['githubActions', { Owner: 'shop', Repository: 'front' }],
  ['trivy', {}],
  ['self', {}],
]

describe('a form per family', () => {
  it.each(FAMILIES)('of %s asks at the field for what it cannot do without: %j', async (family, values) => {
    await open(family === 'aws' ? 'schedule: "@daily"\n' : '')
    await add(family)
    const labels = Object.keys(values)
    for (const label of labels) expect(errorOf(field(label)), label).toBeDefined()
    expect(ScraperSpecSchema.safeParse(parse(text)).success).toBe(labels.length === 0)
    for (const [label, value] of Object.entries(values)) await setField(field(label), value)
    for (const label of labels) expect(errorOf(field(label)), label).toBeUndefined()
    expect(ScraperSpecSchema.safeParse(parse(text)).error).toBeUndefined()
    expect(Object.keys(parse(text) as object)).toContain(family)
  })

  it('is there for each family, and knows no field that its schema lacks', () => {
    expect([...FAMILY_FORMS.keys()].toSorted()).toEqual(Object.keys(SCRAPER_FAMILIES).toSorted())
    for (const family of FAMILY_FORMS.keys()) {
      const { own, items } = fieldsOf(family)
      const known = Object.keys(SCRAPER_FAMILIES[family].shape)
      expect(
        [...own, ...items].map(({ key }) => key).filter((key) => !known.includes(key)),
        family,
      ).toEqual([])
    }
  })

  it('of aws asks for a schedule at the schedule', async () => {
    await open('aws: [{}]\n')
    expect(page().text()).toContain(REQUIRED)
    await setField(field('Schedule'), '@daily')
    expect(page().text()).not.toContain(REQUIRED)
    expect(parse(text)).toEqual({ aws: [{}], schedule: '@daily' })
  })
})

it('says what is merely missing only once saving was tried, and what is wrong at once', async () => {
  await open('file: [{ format: yaml }]\nkubernetes: [{ clusterName: north, maxInFlight: -1 }]\n', { wasTried: false })
  expect(errorOf(field('Icon'))).toBeUndefined()
  expect(errorOf(field('Max in flight'))).toBe('Must not be negative')
})

it('writes into the text: comments, order and what it has no field for stay', async () => {
  await open(
    '# ours\nlabels: { team: shop }\nfile:\n  - format: yaml # as it is\n    icon: file\n    transform: { mask: [$.a] }\n',
  )
  expect(page().text()).toContain('Edit them in the YAML view: transform.')
  expect(page().text()).toContain('Edit them in the YAML view: labels.')
  await setField(field('Paths'), 'teams/*.yaml\n\nshops/*.yaml')
  expect(parse(text)).toEqual({
    labels: { team: 'shop' },
    file: [{ format: 'yaml', icon: 'file', transform: { mask: ['$.a'] }, paths: ['teams/*.yaml', 'shops/*.yaml'] }],
  })
  expect(text).toContain('# ours')
  expect(text).toContain('# as it is')
})

it('has retention rules as rows, each with what is wrong at its field', async () => {
  await open('file: [{ format: yaml, icon: file }]\n')
  await screen.click(page().get('button', 'Add change rule'))
  expect(errorOf(field('Name'))).toBe(REQUIRED)
  await setField(field('Name'), 'diff')
  await setField(field('Age'), 'long')
  expect(errorOf(field('Age'))).toBe('Must be a duration such as 30m, 12h or 7d')
  await setField(field('Age'), '30d')
  await setField(field('Count'), '100')
  expect(parse(text)).toMatchObject({ retention: { changes: [{ name: 'diff', age: '30d', count: 100 }] } })
  await screen.click(page().get('button', 'Remove change rule 1'))
  await screen.click(page().get('button', 'Add type rule'))
  await setField(field('Name'), 'Shop::Customer')
  await setField(field('Deleted age'), '1d')
  await setField(field('Stale item age'), 'keep')
  expect(parse(text)).toMatchObject({
    retention: { types: [{ name: 'Shop::Customer', deletedAge: '1d' }], staleItemAge: 'keep' },
  })
  expect(ScraperSpecSchema.safeParse(parse(text)).error).toBeUndefined()
})

it('removes a source, and its family with the last one', async () => {
  await open('trivy: [{}]\nself: [{}]\n')
  await screen.click(page().get('button', 'Remove Trivy 1'))
  expect(parse(text)).toEqual({ self: [{}] })
})

it('says what is wrong where no field is', async () => {
  await open(
    'file: [{ format: yaml, icon: file, insights: [{ analyzer: a }], pats: 1 }]\nretention: { changes: [{ name: a, days: 1 }] }\n',
  )
  expect(page().text()).toContain('file.0.insights.0.expr: This field is required')
  expect(page().text()).toContain('file.0.pats: is not known')
  expect(page().text()).toContain('retention.changes.0.days: is not known')
})

it('calls nothing wrong where another backend may know it', async () => {
  await open('file: [{ format: yaml, transform: { changes: {} } }]\n')
  expect(page().text()).toContain('file.0.transform')
  await act(async () =>
    screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['specJudges'] }),
  )
  await screen.waitFor(() => expect(page().text()).not.toContain('file.0.transform'))
  expect(page().text()).toContain('Kept unchanged. Edit them in the YAML view: transform.')
})

it('leaves what has another form to the YAML view', async () => {
  await open('http: [{ url: "https://a", name: { expr: config.a }, headers: { a: b } }]\n')
  expect(
    page()
      .text()
      .match(/Only the YAML view can show this value/g),
  ).toHaveLength(2)
})

it('is read only for who may not write', async () => {
  await open('file: [{ format: yaml, icon: file }]\n', { isReadOnly: true })
  expect(field('Icon')).toMatchObject({ value: 'file', readOnly: true })
  for (const name of ['Add a source', 'Remove Files 1', 'Add change rule'])
    expect(page().find('button', name)).toBeNull()
})
