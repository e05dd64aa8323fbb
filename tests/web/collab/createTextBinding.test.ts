import { TYPING_ORIGIN } from '@watchroom/shared/collab'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { encodeCaret, tryDecodeCaret } from '../../../web/src/collab/caretPosition.ts'
import { createTextBinding, type TextBinding } from '../../../web/src/collab/createTextBinding.ts'

let doc: Y.Doc
let text: Y.Text
let remote: Y.Doc
let field: HTMLInputElement
let binding: TextBinding
let canWrite: boolean
let isRequired: boolean
let typed: number
let history: string[]
/** Bytes of every update of the own document. */
let updates: Uint8Array[]

beforeEach(() => {
  doc = new Y.Doc()
  text = doc.getText('title')
  text.insert(0, 'Queue is full')
  remote = new Y.Doc()
  Y.applyUpdate(remote, Y.encodeStateAsUpdate(doc))
  remote.on('update', (update: Uint8Array) => Y.applyUpdate(doc, update, 'remote'))
  updates = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  canWrite = true
  isRequired = false
  typed = 0
  history = []
  field = document.createElement('input')
  document.body.append(field)
  binding = bind()
  field.focus()
})
afterEach(() => {
  binding.close()
  field.remove()
})

function bind(): TextBinding {
  return createTextBinding(field, text, {
    maxLength: 20,
    isRequired,
    canWrite: () => canWrite,
    onTyped: () => (typed += 1),
    onHistory: (direction) => history.push(direction),
  })
}

/** What the browser does for a key: the field has changed when the page learns of it. */
function type(value: string, caret: number): void {
  field.value = value
  field.setSelectionRange(caret, caret)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const others = (change: (text: Y.Text) => void): void => change(remote.getText('title'))
const selection = (): (number | null)[] => [field.selectionStart, field.selectionEnd]

describe('typing', () => {
  it('becomes the smallest change, by the origin that undo follows', () => {
    const events: { delta: unknown; origin: unknown }[] = []
    text.observe((event, { origin }) => events.push({ delta: event.delta, origin }))
    type('Queue is very full', 14)
    expect(events).toEqual([{ delta: [{ retain: 9 }, { insert: 'very ' }], origin: TYPING_ORIGIN }])
    expect(text.toJSON()).toBe('Queue is very full')
    expect(typed).toBe(1)
    expect(updates).toHaveLength(1)
  })

  it('leaves the caret where the browser put it', () => {
    type('Queue xis full', 7)
    expect(selection()).toEqual([7, 7])
  })

  it('stops at the longest text that is allowed, also when others typed meanwhile', () => {
    others((shared) => shared.insert(0, 'The '))
    type('The Queue is full123456', 23)
    expect(text.toJSON()).toBe('The Queue is full123')
    expect(field.value).toBe('The Queue is full123')
  })

  it('is taken back at once when the right to write ended', () => {
    canWrite = false
    type('Queue is empty', 14)
    expect(field.value).toBe('Queue is full')
    expect(text.toJSON()).toBe('Queue is full')
    expect(updates).toEqual([])
  })

  it('leaves undo from the browser’s menu to the document', () => {
    const event = new InputEvent('beforeinput', { inputType: 'historyUndo', cancelable: true })
    field.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(true)
    expect(history).toEqual(['undo'])
  })
})

describe('[DOC-22] a field that must say something', () => {
  beforeEach(() => {
    binding.close()
    isRequired = true
    binding = bind()
  })

  it('changes nothing while it is empty, and everything at once with the first letter', () => {
    type('', 0)
    expect(text.toJSON()).toBe('Queue is full')
    expect(field.value).toBe('')
    type(' ', 1)
    expect(updates).toEqual([])
    type(' P', 2)
    expect(text.toJSON()).toBe(' P')
    expect(updates).toHaveLength(1)
  })

  it('shows what is there again when it is left empty', () => {
    type('', 0)
    others((shared) => shared.insert(13, '!'))
    expect(field.value).toBe('')
    field.blur()
    expect(field.value).toBe('Queue is full!')
    expect(updates).toHaveLength(1)
  })

  it('keeps what others typed meanwhile', () => {
    type('', 0)
    others((shared) => shared.insert(13, '!'))
    type('P', 1)
    expect(text.toJSON()).toBe('P!')
    expect(field.value).toBe('P!')
  })
})

describe('the caret', () => {
  it('stays before what others insert behind it', () => {
    field.setSelectionRange(5, 5)
    others((shared) => shared.insert(13, '!'))
    expect(field.value).toBe('Queue is full!')
    expect(selection()).toEqual([5, 5])
  })

  it('moves with what others insert before it', () => {
    field.setSelectionRange(5, 8)
    others((shared) => shared.insert(0, 'Print '))
    expect(field.value).toBe('Print Queue is full')
    expect(selection()).toEqual([11, 14])
  })

  it('goes to the place of what others delete around it', () => {
    field.setSelectionRange(7, 7)
    others((shared) => shared.delete(5, 3))
    expect(field.value).toBe('Queue full')
    expect(selection()).toEqual([5, 5])
  })

  it('keeps the direction of a selection', () => {
    field.setSelectionRange(2, 6, 'backward')
    others((shared) => shared.insert(0, 'x'))
    expect(field.selectionDirection).toBe('backward')
    expect(selection()).toEqual([3, 7])
  })

  it('of others is found again after edits before it, and is none in another text', () => {
    const caret = encodeCaret(text, 5)
    others((shared) => shared.insert(0, 'Print '))
    expect(tryDecodeCaret(text, caret)).toBe(11)
    expect(tryDecodeCaret(doc.getText('other'), caret)).toBeNull()
    expect(tryDecodeCaret(text, 'not a position')).toBeNull()
    expect(tryDecodeCaret(text, undefined)).toBeNull()
  })
})

describe('an input method', () => {
  const compose = (value: string, caret: number): void => {
    field.value = value
    field.setSelectionRange(caret, caret)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  it('is left alone until it is done: one change with its result', () => {
    field.dispatchEvent(new Event('compositionstart'))
    compose('Queue is full n', 15)
    compose('Queue is full に', 15)
    expect(text.toJSON()).toBe('Queue is full')
    field.dispatchEvent(new Event('compositionend'))
    expect(text.toJSON()).toBe('Queue is full に')
    expect(updates).toHaveLength(1)
    // Some browsers tell of the input again.
    field.dispatchEvent(new Event('input', { bubbles: true }))
    expect(updates).toHaveLength(1)
  })

  it('keeps its letters while others type before them, and merges at the end', () => {
    field.dispatchEvent(new Event('compositionstart'))
    compose('Queue is full n', 15)
    others((shared) => shared.insert(0, 'Big '))
    others((shared) => shared.delete(4, 6))
    expect(field.value).toBe('Queue is full n')
    compose('Queue is full に', 15)
    field.dispatchEvent(new Event('compositionend'))
    expect(text.toJSON()).toBe('Big is full に')
    expect(field.value).toBe('Big is full に')
    expect(selection()).toEqual([13, 13])
  })

  it('shows what others typed when it ends without a result', () => {
    field.dispatchEvent(new Event('compositionstart'))
    others((shared) => shared.insert(0, 'Big '))
    field.dispatchEvent(new Event('compositionend'))
    expect(field.value).toBe('Big Queue is full')
    expect(updates).toHaveLength(1)
  })
})

describe('the end', () => {
  it('lets go of the field and of the text', () => {
    binding.close()
    others((shared) => shared.insert(0, 'Print '))
    expect(field.value).toBe('Queue is full')
    type('Queue', 5)
    expect(text.toJSON()).toBe('Print Queue is full')
    expect(typed).toBe(0)
    binding = bind()
  })
})
