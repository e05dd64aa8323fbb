import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { FormDialog } from '../../../../web/src/ui/dialog/FormDialog.tsx'
import type { FieldFault } from '../../../../web/src/ui/form/fieldFault.ts'
import { pairsRule, toPairs } from '../../../../web/src/ui/form/pairs.ts'
import { PairsField } from '../../../../web/src/ui/form/PairsField.tsx'
import { requiredText } from '../../../../web/src/ui/form/rules.ts'
import { TextField } from '../../../../web/src/ui/form/TextField.tsx'
import { useForm } from '../../../../web/src/ui/form/useForm.ts'

const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({ showErrorToast: (text: string) => toasts.push(text) }))

/** Refused by a server that names fields. */
class Refused extends Error {
  readonly faults: readonly FieldFault[]
  constructor(faults: readonly FieldFault[]) {
    super('refused')
    this.faults = faults
  }
}

const Schema = z
  .object({ name: requiredText, target: z.object({ port: z.string(), host: z.string() }), labels: pairsRule })
  .refine(({ name, target }) => name !== target.host, { path: ['target', 'host'], error: 'This is the name' })

const save = vi.fn<(output: z.output<typeof Schema>) => Promise<true | false>>()
const saved: string[] = []
const onClose = vi.fn<() => void>()
let screen: RenderedScreen

function Example() {
  const form = useForm({
    schema: Schema,
    initial: { name: '', target: { port: '', host: '' }, labels: toPairs({ team: 'shop' }) },
    save,
    onSaved: (_, { name }) => {
      saved.push(name)
      onClose()
    },
  })
  return (
    <FormDialog form={form} title="Add target" action="Add" onClose={onClose}>
      <TextField label="Name" {...form.field('name')} />
      <TextField label="Port" {...form.field('target.port')} />
      <TextField label="Host" {...form.field('target.host')} />
      <PairsField
        label="Labels"
        noun="label"
        {...form.field('labels')}
        errorAt={(index) => form.errorAt(`labels.${index}.key`)}
      />
    </FormDialog>
  )
}

const field = (name: string): HTMLInputElement => {
  const found = [...document.querySelectorAll('input')].find(
    (input) => (input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent.trim()) === name,
  )
  if (!found) throw new Error(`no field ${name}`)
  return found
}
const errorOf = (name: string): string | null => {
  const id = field(name).getAttribute('aria-describedby')
  return id === null ? null : (document.getElementById(id)?.textContent ?? null)
}
const button = (name: string) =>
  [...document.querySelectorAll('button')].findLast(
    (each) => each.textContent === name || each.getAttribute('aria-label') === name,
  ) ?? null
const submit = async () => {
  await act(async () => document.querySelector('form')?.requestSubmit())
  await screen.advance(0)
}

beforeEach(async () => {
  save.mockReset().mockResolvedValue(true)
  onClose.mockReset()
  toasts.length = 0
  saved.length = 0
  screen = await renderScreen(<Example />)
})
afterEach(() => screen.close())

describe('a form of the kit', () => {
  it('says nothing before saving was tried, then what is wrong at each field, and focuses the first', async () => {
    await screen.type(field('Label 1, name'), '')
    expect(field('Name').getAttribute('aria-invalid')).toBe('false')
    await submit()
    expect(errorOf('Name')).toBe('This field is required')
    expect(errorOf('Label 1, name')).toBe('This field is required')
    expect(document.activeElement).toBe(field('Name'))
    expect(save).not.toHaveBeenCalled()
  })

  it('takes a fault away as soon as it is fixed, also one that hangs on another field', async () => {
    await screen.type(field('Name'), 'a')
    await screen.type(field('Host'), 'a')
    await submit()
    expect(errorOf('Host')).toBe('This is the name')
    await screen.type(field('Name'), 'b')
    await screen.waitFor(() => expect(errorOf('Host')).toBeNull())
  })

  it('saves what the schema makes of the fields, once, however often it is asked to', async () => {
    let finish = (_: true): void => undefined
    save.mockReturnValue(new Promise<true>((resolve) => (finish = resolve)))
    await screen.type(field('Name'), ' shop ')
    await submit()
    await submit()
    expect(save.mock.calls).toEqual([[{ name: 'shop', target: { port: '', host: '' }, labels: { team: 'shop' } }]])
    await act(async () => finish(true))
    await screen.waitFor(() => expect(saved).toEqual(['shop']))
  })

  it("shows the server's fault at the field that it names, focused, until that field is changed", async () => {
    save.mockRejectedValueOnce(new Refused([{ field: 'target.port', message: 'already in use' }]))
    await screen.type(field('Name'), 'shop')
    await submit()
    await screen.waitFor(() => expect(errorOf('Port')).toBe('already in use'))
    expect(document.activeElement).toBe(field('Port'))
    await screen.type(field('Name'), 'shop-2')
    expect(errorOf('Port')).toBe('already in use')
    await screen.type(field('Port'), '81')
    expect(errorOf('Port')).toBeNull()
    expect(toasts).toEqual([])
  })

  it('tells in a toast what belongs to no field of it, and keeps what was typed', async () => {
    save.mockRejectedValueOnce(new Refused([{ field: 'owner', message: 'is missing' }]))
    await screen.type(field('Name'), 'shop')
    await submit()
    await screen.waitFor(() => expect(toasts).toEqual(['refused']))
    save.mockRejectedValueOnce(new Error('no connection'))
    await submit()
    await screen.waitFor(() => expect(toasts).toEqual(['refused', 'no connection']))
    expect(field('Name').value).toBe('shop')
    expect(saved).toEqual([])
  })

  it('does not count as saved what resolves to false', async () => {
    save.mockResolvedValue(false)
    await screen.type(field('Name'), 'shop')
    await submit()
    await screen.click(button('Cancel'))
    expect(saved).toEqual([])
    expect(button('Keep editing')).not.toBeNull()
  })
})

describe('a dialog with a form', () => {
  it('closes at once while nothing was entered', async () => {
    await screen.click(button('Cancel'))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it.each(['Cancel', 'Close'])('asks before %s gives up what was entered', async (way) => {
    await screen.type(field('Port'), '80')
    await screen.click(button(way))
    expect(onClose).not.toHaveBeenCalled()
    await screen.click(button('Keep editing'))
    expect(field('Port').value).toBe('80')
    await screen.click(button(way))
    await screen.click(button('Discard'))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('asks before Back or a link leaves with what was entered, and not after it was saved', async () => {
    await screen.type(field('Name'), 'shop')
    await screen.go('/elsewhere')
    await screen.waitFor(() => expect(button('Stay')).not.toBeNull())
    await screen.click(button('Stay'))
    await submit()
    await screen.waitFor(() => expect(saved).toEqual(['shop']))
    await screen.go('/elsewhere')
    expect(button('Stay')).toBeNull()
  })
})
