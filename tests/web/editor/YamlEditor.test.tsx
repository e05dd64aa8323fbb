import { afterEach, describe, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { EDITOR_SIZES } from '../../../web/src/editor/contract.ts'
import { PlainYaml } from '../../../web/src/editor/PlainYaml.tsx'
import { YamlEditor } from '../../../web/src/editor/YamlEditor.tsx'

// The editor itself needs a browser that lays out: e2e/journeys/edit-check.spec.ts. Here its file is gone, as after an update.
vi.mock('../../../web/src/editor/monacoEnvironment.ts', () => {
  throw new Error('404')
})

let screen: RenderedScreen
afterEach(() => screen.close())

const area = () => screen.container.querySelector('textarea')
const editor = () => screen.container.querySelector<HTMLElement>('.wr-editor')

describe('YamlEditor', () => {
  it('has the sizes of the specification', async () => {
    expect(EDITOR_SIZES).toEqual(['very-small', 'small', 'medium', 'large', 'full'])
    screen = await renderScreen(<YamlEditor aria-label="Spec" value="a: 1" size="very-small" />)
    expect(editor()?.dataset['size']).toBe('very-small')
  })

  it('shows and edits the text even when the editor cannot be loaded', async () => {
    const handleChange = vi.fn<(text: string) => void>()
    screen = await renderScreen(<YamlEditor aria-label="Spec" value="a: 1" onChange={handleChange} />)
    await screen.waitFor(() => expect(area()?.readOnly).toBe(false))
    await setField(area(), 'a: 2')
    expect(handleChange).toHaveBeenCalledWith('a: 2')
    expect(area()?.getAttribute('aria-label')).toBe('Spec')
  })

  it('says how Tab leaves it, and has nothing to say where nothing is edited', async () => {
    screen = await renderScreen(<YamlEditor aria-label="Spec" value="a: 1" onChange={() => undefined} />)
    expect(screen.container.textContent).toContain('To leave the editor with Tab, press Ctrl+M first.')
    await screen.rerender(<YamlEditor aria-label="Spec" value="a: 1" />)
    expect(screen.container.textContent).not.toContain('Ctrl+M')
    expect(editor()?.dataset['readonly']).toBe('true')
  })
})

describe('PlainYaml', () => {
  it('cannot be changed without someone to tell', async () => {
    screen = await renderScreen(<PlainYaml aria-label="Spec" value="a: 1" />)
    expect(area()?.readOnly).toBe(true)
  })
})
