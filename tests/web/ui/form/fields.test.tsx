import { SECRET_MASK } from '@watchroom/shared/kernel'
import { type ReactNode, useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import type { Amount } from '../../../../web/src/ui/form/amount.ts'
import { CheckboxesField } from '../../../../web/src/ui/form/CheckboxesField.tsx'
import { CodeField } from '../../../../web/src/ui/form/CodeField.tsx'
import { type Credential, NO_CREDENTIAL } from '../../../../web/src/ui/form/credential.ts'
import { CredentialField } from '../../../../web/src/ui/form/CredentialField.tsx'
import { DurationField } from '../../../../web/src/ui/form/NumberField.tsx'
import { SelectField } from '../../../../web/src/ui/form/SelectField.tsx'

// The editor itself needs a browser that lays out. Here its file is gone, as after an update.
vi.mock('../../../../web/src/editor/monacoEnvironment.ts', () => {
  throw new Error('404')
})

const page = pageOf()
let screen: RenderedScreen
afterEach(() => screen.close())

/** Shows a field of a value. @returns tells what the value is now */
async function open<Value>(start: Value, render: (value: Value, onChange: (value: Value) => void) => ReactNode) {
  const handleChange = vi.fn<(value: Value) => void>()
  function Holder() {
    const [value, setValue] = useState(start)
    return render(value, (next) => {
      handleChange(next)
      setValue(next)
    })
  }
  screen = await renderScreen(<Holder />)
  return (): Value => (handleChange.mock.lastCall ? handleChange.mock.lastCall[0] : start)
}

const valueOf = (label: string): string => (page.field(label) as HTMLInputElement).value

describe('fields of the kit', () => {
  it.each(['yaml', 'json'] as const)('edit %s in the editor, which is loaded for it', async (language) => {
    const held = await open('{}', (value, onChange) => (
      <CodeField label="Values" language={language} value={value} onChange={onChange} />
    ))
    await screen.waitFor(() => expect(page.field('Values')).toHaveProperty('readOnly', false))
    await setField(page.field('Values'), '{"a": 1}')
    expect(held()).toBe('{"a": 1}')
  })

  it('edit CEL as plain text, with what is wrong said of it', async () => {
    const held = await open('a', (value, onChange) => (
      <CodeField label="Expression" language="cel" value={value} onChange={onChange} error="does not parse" />
    ))
    await setField(page.field('Expression'), 'a == 1')
    expect(held()).toBe('a == 1')
    const describedBy = page.field('Expression').getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(describedBy)?.textContent).toBe('does not parse')
  })

  it('say what is wrong about many choices above the first of them', async () => {
    const groups = [{ label: 'Checks', options: [{ value: 'check.failed', label: 'Failed' }] }]
    await open<string[]>([], (value, onChange) => (
      <CheckboxesField
        label="Events"
        value={value}
        onChange={onChange}
        groups={groups}
        error="This field is required"
      />
    ))
    const group = document.querySelector('fieldset[data-faulty]')
    const fault = document.getElementById(group?.getAttribute('aria-describedby') ?? '')
    expect(fault?.textContent).toBe('This field is required')
    const order = fault?.compareDocumentPosition(page.field('Failed')) ?? 0
    expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('keep what is no number as it is typed', async () => {
    const held = await open<Amount>(5, (value, onChange) => (
      <DurationField label="Wait" unit="ms" value={value} onChange={onChange} />
    ))
    await setField(page.field('Wait'), '1.')
    expect([held(), valueOf('Wait')]).toEqual([1, '1.'])
    await setField(page.field('Wait'), '90s')
    expect(held()).toBe('90s')
    await setField(page.field('Wait'), '')
    expect(held()).toBeUndefined()
  })

  it('show a chosen value that is no longer offered', async () => {
    await open('gone', (value, onChange) => (
      <SelectField label="Type" placeholder="Choose" options={['a']} value={value} onChange={onChange} />
    ))
    expect(valueOf('Type')).toBe('gone')
  })

  it('never show a stored secret, and leave it as it is until another one is typed', async () => {
    const held = await open<Credential>({ ...NO_CREDENTIAL, text: SECRET_MASK }, (value, onChange) => (
      <CredentialField label="Password" isSecret value={value} onChange={onChange} />
    ))
    expect(valueOf('Password')).toBe('')
    expect(held().text).toBe(SECRET_MASK)
    await setField(page.field('Password'), 'new')
    expect(held()).toEqual({ ...NO_CREDENTIAL, text: 'new' })
    expect(page.field('Password').getAttribute('type')).toBe('password')
  })
})
