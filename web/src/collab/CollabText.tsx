import './collab.css'
import { InputGroup, TextArea } from '@blueprintjs/core'
import { fieldAt } from '@watchroom/shared/collab'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import type * as Y from 'yjs'

import { useScreenClock } from '../ui/clock.tsx'
import { encodeCaret } from './caretPosition.ts'
import { createTextBinding } from './createTextBinding.ts'
import { useConnection } from './IncidentRoomProvider.tsx'
import { peerNames, PeerRing } from './PeerRing.tsx'
import { RemoteCarets } from './RemoteCarets.tsx'
import { useIncidentPart } from './useIncident.ts'
import { usePeersEditing } from './usePeers.ts'
import { TYPING_MS } from './useWriting.ts'

export interface CollabTextProps {
  /** From `edit.incidentText`, `edit.hypothesisTitle` or `edit.commentBody`. */
  readonly text: Y.Text
  /** Path of the text: `hypotheses/<id>/title`, `comments/<id>/body`, `incident/title`, `incident/description`. */
  readonly field: string
  readonly 'aria-label': string
  /** Of the control, for a label beside it. */
  readonly id?: string
  readonly placeholder?: string
  readonly autoFocus?: boolean
}

/** A shared text on one line. */
export function CollabText(props: CollabTextProps): ReactNode {
  const { placeholder } = props
  const input = useRef<HTMLInputElement>(null)
  const { isReadOnly, maxLength, description, peers, handleKeyDown } = useBoundField(input, props)
  return (
    <PeerRing peers={peers}>
      <span className="collab-field" data-collab-field={props.field}>
        <InputGroup
          fill
          inputRef={input}
          aria-label={props['aria-label']}
          aria-describedby={description.id}
          readOnly={isReadOnly}
          maxLength={maxLength}
          autoComplete="off"
          {...(placeholder === undefined ? {} : { placeholder })}
          onKeyDown={handleKeyDown}
        />
        {peers.length > 0 ? <RemoteCarets field={input} text={props.text} peers={peers} /> : null}
        {description.element}
      </span>
    </PeerRing>
  )
}

/** A shared text on several lines. It grows with its content. */
export function CollabTextArea(props: CollabTextProps): ReactNode {
  const { placeholder } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const { isReadOnly, maxLength, description, peers, handleKeyDown } = useBoundField(area, props)
  return (
    <PeerRing peers={peers}>
      <span className="collab-field" data-collab-field={props.field}>
        <TextArea
          fill
          inputRef={area}
          {...(props.id === undefined ? {} : { id: props.id })}
          className="collab-area"
          aria-label={props['aria-label']}
          aria-describedby={description.id}
          readOnly={isReadOnly}
          maxLength={maxLength}
          {...(placeholder === undefined ? {} : { placeholder })}
          onKeyDown={handleKeyDown}
        />
        {peers.length > 0 ? <RemoteCarets field={area} text={props.text} peers={peers} /> : null}
        {description.element}
      </span>
    </PeerRing>
  )
}

type Field = HTMLInputElement | HTMLTextAreaElement

function useBoundField(ref: RefObject<Field | null>, props: CollabTextProps) {
  const { text, field, autoFocus = false } = props
  const maxLength = limitOf(field)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const peers = usePeersEditing(field)
  const isReadOnly = !canWrite
  useFieldPresence(ref, text, field, isReadOnly)
  useBinding(ref, text, { maxLength, isReadOnly, isRequired: isRequiredAt(field) })

  useEffect(() => {
    if (autoFocus) ref.current?.focus()
  }, [ref, autoFocus])
  const id = useId()
  const description =
    peers.length === 0
      ? { id: undefined, element: null }
      : {
          id,
          element: (
            <span id={id} className="wr-visually-hidden">
              {peerNames(peers)} {peers.length > 1 ? 'are' : 'is'} editing this
            </span>
          ),
        }
  const handleKeyDown = (event: KeyboardEvent<Field>): void => {
    // While an input method composes, Enter confirms its suggestion.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const isLine = event.currentTarget instanceof HTMLInputElement
    if (!isLine && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    event.currentTarget.blur()
  }
  return { isReadOnly, maxLength, description, peers, handleKeyDown }
}

function useBinding(
  ref: RefObject<Field | null>,
  text: Y.Text,
  { maxLength, isReadOnly, isRequired }: { maxLength: number; isReadOnly: boolean; isRequired: boolean },
): void {
  const connection = useConnection()
  const mayWrite = useRef(!isReadOnly)
  useLayoutEffect(() => {
    mayWrite.current = !isReadOnly
  }, [isReadOnly])
  // Before the first paint: the field must not flash empty.
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const binding = createTextBinding(element, text, {
      maxLength,
      isRequired,
      canWrite: () => mayWrite.current && connection.room().canWrite,
      onTyped: () => connection.room().setPlace({ typing: true }),
      onHistory: (direction) => connection.room().undo[direction](),
    })
    return binding.close
  }, [ref, text, maxLength, isRequired, connection])
}

/** Tells others where this person's caret is while it is in the field. */
function useFieldPresence(ref: RefObject<Field | null>, text: Y.Text, field: string, isReadOnly: boolean): void {
  const connection = useConnection()
  const { clock } = useScreenClock()
  useEffect(() => {
    const element = ref.current
    if (element === null || isReadOnly) return undefined
    const { entity, name } = splitField(field)
    let cancelTyping = (): void => undefined
    let isHere = false
    const { setPlace } = connection.room()
    const tell = (): void => {
      if (document.activeElement !== element) return
      isHere = true
      const { selectionStart, selectionEnd, selectionDirection } = element
      const ends = [selectionStart ?? 0, selectionEnd ?? 0].map((index) => encodeCaret(text, index))
      const [anchor = '', head = ''] = selectionDirection === 'backward' ? ends.toReversed() : ends
      setPlace({ editing: { entity, field: name, anchor, head } })
    }
    const handleInput = (): void => {
      tell()
      cancelTyping()
      cancelTyping = clock.schedule(() => setPlace({ typing: false }), TYPING_MS)
    }
    const leave = (): void => {
      cancelTyping()
      if (isHere) setPlace({ editing: null, typing: false })
      isHere = false
    }
    element.addEventListener('focus', tell)
    element.addEventListener('blur', leave)
    element.addEventListener('input', handleInput)
    document.addEventListener('selectionchange', tell)
    tell()
    return () => {
      element.removeEventListener('focus', tell)
      element.removeEventListener('blur', leave)
      element.removeEventListener('input', handleInput)
      document.removeEventListener('selectionchange', tell)
      leave()
    }
  }, [ref, text, field, isReadOnly, connection, clock])
}

function splitField(field: string): { entity: string; name: string } {
  const at = field.lastIndexOf('/')
  return { entity: field.slice(0, at), name: field.slice(at + 1) }
}

function limitOf(path: string): number {
  const field = fieldAt(path)
  return field?.kind === 'text' ? field.maxLength : Infinity
}

function isRequiredAt(path: string): boolean {
  const field = fieldAt(path)
  return field?.kind === 'text' && field.isRequired
}
