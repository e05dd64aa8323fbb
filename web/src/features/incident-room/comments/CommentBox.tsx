import { Button, TextArea } from '@blueprintjs/core'
import { LIMITS } from '@watchroom/shared/collab'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

import { type Person, personName, usePeople } from '../../../api/people.ts'
import type { Place } from '../../../collab/contract.ts'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { useWriting } from '../../../collab/useWriting.ts'
import { attempt } from '../attempt.ts'
import { insertMention, mentionAt, mentionName, toStoredComment } from './mentions.ts'
import type { CommentDraft } from './useCommentDraft.ts'

import styles from '../incidentRoom.module.css'

const MAX_SUGGESTIONS = 6

interface CommentBoxProps {
  /** The draft, owned by the parent, so that it outlives the box. */
  readonly draft: CommentDraft
  readonly onChange: (patch: Partial<CommentDraft>) => void
  /** The comment was added. */
  readonly onDone: () => void
  /** Hypothesis the comment belongs to; null while none is chosen. */
  readonly hypothesisId: string | null
  /** The place where others see that someone is writing. */
  readonly place: Place
  /** The choice of the hypothesis, beside the button. */
  readonly children?: ReactNode
}

/** Writes a comment. `@` offers people to name; Enter submits, Shift+Enter starts a new line. */
export function CommentBox({ draft, onChange, onDone, hypothesisId, place, children }: CommentBoxProps) {
  const { typed, left } = useWriting(place)
  const edit = useIncidentPart((room) => room.edit)
  const { present } = usePeople()
  const { text, mentions } = draft
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const [isClosed, setClosed] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const caretAfter = useRef<number | null>(null)
  const id = useId()

  const begun = isClosed ? null : mentionAt(text, caret)
  // After a chosen name, the sentence goes on.
  const mention = begun !== null && mentions.some(({ name }) => begun.query.startsWith(`${name} `)) ? null : begun
  const suggestions = mention === null ? [] : suggestPeople(present, mention.query)
  const chosen = suggestions[Math.min(active, suggestions.length - 1)]

  useEffect(() => {
    if (caretAfter.current === null) return
    field.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    caretAfter.current = null
  })

  const handleText = (value: string, position: number, named: CommentDraft['mentions'] = mentions): void => {
    onChange({ text: value, mentions: named })
    if (value.trim() === '') left()
    else typed()
    setCaret(position)
    setActive(0)
    setClosed(false)
    setProblem(null)
  }
  const choose = (person: Person): void => {
    if (mention === null) return
    const name = mentionName(person, present)
    const next = insertMention(text, { from: mention.from, caret }, name)
    handleText(next.text, next.caret, [...mentions, { name, userId: person.id }])
    caretAfter.current = next.caret
    field.current?.focus()
  }
  const submit = (): void => {
    const body = toStoredComment(text, mentions)
    if (body === '') return setProblem('Please add comment details')
    if (hypothesisId === null) return setProblem('Please select any hypothesis')
    const refusal = attempt(() => edit.addComment({ hypothesisId, body }))
    if (refusal !== null) return setProblem(refusal)
    onDone()
    left()
    setCaret(0)
    setProblem(null)
    return undefined
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (chosen !== undefined) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) {
        event.preventDefault()
        return setActive((suggestions.indexOf(chosen) + step + suggestions.length) % suggestions.length)
      }
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault()
        return choose(chosen)
      }
      if (event.key === 'Escape') {
        event.stopPropagation()
        return setClosed(true)
      }
    }
    if (event.key !== 'Enter' || event.shiftKey) return undefined
    event.preventDefault()
    return submit()
  }

  return (
    <div className={styles['commentBox']} data-empty={text === '' || undefined}>
      <div className={styles['commentField']}>
        <TextArea
          inputRef={field}
          className={`${styles['commentInput']}`}
          aria-label="Comment"
          placeholder="Write a comment; @ mentions someone"
          rows={2}
          maxLength={LIMITS.commentLength}
          value={text}
          aria-autocomplete="list"
          aria-controls={chosen ? `${id}-people` : undefined}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          aria-invalid={problem !== null}
          onChange={({ currentTarget }) => handleText(currentTarget.value, currentTarget.selectionStart)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onBlur={() => {
            setClosed(true)
            left()
          }}
          onKeyDown={handleKeyDown}
        />
        {chosen ? (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list of options beside a text area has no tag
          <div id={`${id}-people`} className={styles['suggestions']} role="listbox" aria-label="People">
            {suggestions.map((person) => (
              <div
                key={person.id}
                id={`${id}-${person.id}`}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option tag shows no markup
                role="option"
                aria-selected={person === chosen}
                // Before the blur that closes the list.
                onPointerDown={(event) => {
                  event.preventDefault()
                  choose(person)
                }}
              >
                {personName(person)} {person.email ? <span className="wr-muted">{person.email}</span> : null}
              </div>
            ))}
          </div>
        ) : null}
      </div>
      <div className={styles['commentActions']}>
        {children}
        <Button intent="primary" text="Comment" disabled={text.trim() === ''} onClick={submit} />
      </div>
      {problem === null ? null : (
        <p id={`${id}-problem`} className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function suggestPeople(people: readonly Person[], query: string): Person[] {
  const wanted = query.toLowerCase()
  return people
    .filter(({ name, email }) => (name ?? '').toLowerCase().includes(wanted) || email?.toLowerCase().startsWith(wanted))
    .slice(0, MAX_SUGGESTIONS)
}
