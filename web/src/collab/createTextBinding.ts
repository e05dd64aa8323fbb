import { TYPING_ORIGIN } from '@watchroom/shared/collab'
import { clip, isBlank, toStorable, toTextChange } from '@watchroom/shared/kernel'
import type * as Y from 'yjs'

import { moveThrough, type TextDelta } from './moveThrough.ts'

export interface TextBindingOptions {
  readonly maxLength: number
  /** The shared text must not be empty: clearing the field changes nothing until something is typed. */
  readonly isRequired?: boolean
  /** Checked at every keystroke: the right to write may end in the middle of a word. */
  readonly canWrite: () => boolean
  /** The person typed. */
  readonly onTyped: () => void
  /** Undo and redo chosen from the browser's own menu. */
  readonly onHistory: (direction: 'undo' | 'redo') => void
}

export interface TextBinding {
  readonly close: () => void
}

/**
 * Keeps a field and a shared text equal. Typing becomes the smallest change to the text; what others type appears without moving
 * the caret. While an input method composes, the field is left alone, and the result is merged at the end.
 */
export function createTextBinding(
  element: HTMLInputElement | HTMLTextAreaElement,
  text: Y.Text,
  options: TextBindingOptions,
): TextBinding {
  /** The text when field and shared text were last equal. */
  let shown = ''
  let isComposing = false
  let isTyping = false
  /** The required field is empty, and its new content is not typed yet. */
  let isEmptied = false
  /** Other people's changes since then, which the field could not show. */
  let missed: TextDelta[] = []

  const show = (start: number, end: number): void => {
    shown = text.toJSON()
    missed = []
    isEmptied = false
    if (element.value === shown) return
    const { selectionDirection, scrollTop, scrollLeft } = element
    element.value = shown
    if (element.ownerDocument.activeElement === element)
      element.setSelectionRange(start, end, selectionDirection ?? 'none')
    element.scrollTop = scrollTop
    element.scrollLeft = scrollLeft
  }

  const toNow = (index: number): number => missed.reduce((at, delta) => moveThrough(at, delta), index)

  const take = (): void => {
    const typed = element.value
    const caret = element.selectionEnd ?? typed.length
    if (options.isRequired && options.canWrite() && isBlank(typed)) {
      isEmptied = true
      return
    }
    const change = options.canWrite() ? toTextChange(shown, typed, caret) : null
    if (!change) {
      show(toNow(caret), toNow(caret))
      return
    }
    const start = toNow(change.index)
    const remove = toNow(change.index + change.remove) - start
    const insert = clip(toStorable(change.insert), options.maxLength - (text.length - remove))
    isTyping = true
    text.doc?.transact(() => {
      if (remove > 0) text.delete(start, remove)
      if (insert !== '') text.insert(start, insert)
    }, TYPING_ORIGIN)
    isTyping = false
    // Usually the field shows this already, but not after a composition that others typed into, or when the text was too long.
    const after = start + insert.length
    show(after, after)
    options.onTyped()
  }

  const handleRemote = (event: Y.YTextEvent): void => {
    if (isTyping) return
    // Undo and redo must show at once.
    if (isComposing || (isEmptied && !event.transaction.local)) {
      missed.push(event.delta as TextDelta)
      return
    }
    const { selectionStart, selectionEnd } = element
    const delta = event.delta as TextDelta
    show(moveThrough(selectionStart ?? 0, delta), moveThrough(selectionEnd ?? 0, delta))
  }

  const handleInput = (): void => {
    if (!isComposing) take()
  }
  const handleCompositionStart = (): void => {
    isComposing = true
  }
  const handleCompositionEnd = (): void => {
    isComposing = false
    take()
  }
  const handleBlur = (): void => {
    if (isEmptied) show(0, 0)
  }
  const handleBeforeInput = (event: Event): void => {
    const { inputType } = event as InputEvent
    if (inputType !== 'historyUndo' && inputType !== 'historyRedo') return
    // The browser's own history knows nothing of what others typed in between.
    event.preventDefault()
    options.onHistory(inputType === 'historyUndo' ? 'undo' : 'redo')
  }

  // Not `show`: it reads how far the field is scrolled, which forces a layout before the first paint.
  shown = text.toJSON()
  element.value = shown
  text.observe(handleRemote)
  element.addEventListener('input', handleInput)
  element.addEventListener('compositionstart', handleCompositionStart)
  element.addEventListener('compositionend', handleCompositionEnd)
  element.addEventListener('beforeinput', handleBeforeInput)
  element.addEventListener('blur', handleBlur)
  return {
    close: () => {
      text.unobserve(handleRemote)
      element.removeEventListener('input', handleInput)
      element.removeEventListener('compositionstart', handleCompositionStart)
      element.removeEventListener('compositionend', handleCompositionEnd)
      element.removeEventListener('beforeinput', handleBeforeInput)
      element.removeEventListener('blur', handleBlur)
    },
  }
}
