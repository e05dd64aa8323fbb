import { afterEach, describe, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { useSpecNotice } from '../../../web/src/editor/useSpecNotice.ts'

let screen: RenderedScreen
afterEach(() => screen.close())

const UNJUDGED = 'The backend decides.'
const EXEC = 'exec:\n  - name: a\n    script: "true"\n'

interface ShownProps {
  text: string
  stored?: string
  programRefusal?: string | null
  unjudged?: string | null
  findFault: (text: string) => string | null
}

function Shown({ programRefusal = null, unjudged = UNJUDGED, ...props }: ShownProps) {
  const notice = useSpecNotice({ ...props, programRefusal, unjudged })
  return <p>{notice === null ? 'nothing' : `${notice.title}: ${notice.text}`}</p>
}

const said = () => screen.container.textContent

describe('useSpecNotice', () => {
  it('reads a text once, however often the form is drawn', async () => {
    const findFault = vi.fn((text: string) => (text.includes('b') ? 'b is not known' : null))
    screen = await renderScreen(<Shown text="a: 1" findFault={findFault} />)
    await screen.rerender(<Shown text="a: 1" findFault={findFault} />)
    expect(said()).toBe('nothing')
    expect(findFault).toHaveBeenCalledTimes(1)
    await screen.rerender(<Shown text="b: 1" findFault={findFault} />)
    expect(said()).toBe('Not known here: b is not known. The backend decides.')
    expect(findFault).toHaveBeenCalledTimes(2)
  })

  it('judges nothing where the backend does', async () => {
    const findFault = vi.fn(() => 'wrong')
    screen = await renderScreen(<Shown text="a: 1" unjudged={null} findFault={findFault} />)
    expect(said()).toBe('nothing')
    expect(findFault).not.toHaveBeenCalled()
  })

  it('says first that the person may not save programs, unless they stand there already', async () => {
    const props = { text: EXEC, programRefusal: 'Administrators may.', findFault: () => 'wrong' }
    screen = await renderScreen(<Shown {...props} />)
    expect(said()).toBe('This executes programs: Administrators may.')
    await screen.rerender(<Shown {...props} stored={EXEC} />)
    expect(said()).toBe('Not known here: wrong. The backend decides.')
  })
})
