import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { FormPage } from '../../../../web/src/ui/form/FormPage.tsx'
import { useForm } from '../../../../web/src/ui/form/useForm.ts'

const judge = vi.fn()
const SCHEMA = z.object({ name: z.string().superRefine(judge) })

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  judge.mockClear()
})

function Page({ peers, isReadOnly = false }: { peers: number; isReadOnly?: boolean }) {
  const form = useForm({ schema: SCHEMA, initial: { name: '' }, save: async () => true })
  return (
    <FormPage form={form} label="Thing" readOnly={isReadOnly ? { text: 'Not yours' } : null} isOffWhileInvalid>
      {peers}
    </FormPage>
  )
}

describe('FormPage', () => {
  it('judges what is typed once, however often the page is drawn', async () => {
    screen = await renderScreen(<Page peers={0} />)
    const judged = judge.mock.calls.length
    expect(judged).toBeGreaterThan(0)
    await screen.rerender(<Page peers={1} />)
    expect(screen.container.textContent).toContain('1')
    expect(judge).toHaveBeenCalledTimes(judged)
  })

  it('judges nothing that cannot be saved', async () => {
    screen = await renderScreen(<Page peers={0} isReadOnly />)
    expect(judge).not.toHaveBeenCalled()
  })
})
