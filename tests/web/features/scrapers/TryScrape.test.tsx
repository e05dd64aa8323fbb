import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { TryScrape } from '../../../../web/src/features/scrapers/TryScrape.tsx'

const TRY = 'POST /api/config/try'
const ID = '018f0000-0000-7000-8000-0000000000a1'
const item = (name: string, diff: string | null = null) => ({ name, type: 'Test::Item', config_id: null, diff })

let screen: RenderedScreen
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(specText: string, scraperId: string | null = null): Promise<void> {
  server = createFakeServer()
  screen = await renderScreen(<TryScrape specText={specText} scraperId={scraperId} />)
}
const text = (): string => pageOf(screen.container).text()
const press = () => screen.click(pageOf(screen.container).get('button', 'Try it'))

it('lists what a run would add, change and delete, and what could not be used', async () => {
  await open('file: []', ID)
  let body: unknown
  server.on(TRY, (_url, init) => {
    body = JSON.parse(init.body as string)
    return json({
      added: { total: 120, items: [item('front')] },
      changed: { total: 1, items: [item('store', '@@ -1 +1 @@\n-old: 1\n+new: 2\n')] },
      deleted: { total: 0, items: [] },
      unchanged: 7,
      problems: ['broken.yaml, line 3: it is no YAML'],
    })
  })
  await press()
  await screen.waitFor(() => expect(text()).toContain('120 added, 1 changed, 0 deleted, 7 unchanged.'))
  for (const shown of ['front', 'and 119 more', 'store', 'new: 2', 'broken.yaml, line 3'])
    expect(text()).toContain(shown)
  expect(text()).not.toContain('Deleted:')
  expect(body).toEqual({ spec: { file: [] }, scraper_id: ID })
  await screen.rerender(<TryScrape specText="file: [{}]" scraperId={ID} />)
  await screen.waitFor(() => expect(text()).toContain('The spec has changed since.'))
})

it('says why nothing was tried: by the server, or of a text that is no map', async () => {
  await open('file: []')
  server.on(TRY, () => json(refusal('X', 'file.0.paths: outside of the folders'), 400))
  await press()
  await screen.waitFor(() => expect(text()).toContain('outside of the folders'))
  await screen.rerender(<TryScrape specText="- a list" scraperId={null} />)
  await press()
  await screen.waitFor(() => expect(text()).toContain('A spec is a map of keys and values'))
  expect(server.requests).toHaveLength(1)
})
