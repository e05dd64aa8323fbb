import { ArrowLeft, ChevronRight, Search } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'
import { useAtom } from 'jotai'
import { type KeyboardEvent, memo, type ReactElement, useEffect, useId, useState } from 'react'

import { useSession } from '../../api/session.tsx'
import { recentPlacesAtom, withRecent } from '../../preferences/recentPlaces.ts'
import type { Command, CommandChoice } from '../../ui/commands.ts'
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a field with a grouped list under it (combobox pattern): select and option show no markup */
import { countOf } from '../../ui/countOf.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { SizedDialog } from '../../ui/SizedDialog.tsx'
import { useLatest } from '../../ui/useLatest.ts'
import { bestMatches } from './matchText.ts'
import { type PaletteItem, type PaletteItems, usePaletteItems } from './usePaletteItems.tsx'

import styles from './palette.module.css'

interface PaletteProps {
  /** @param act runs once the palette is closed and the focus is back on the page */
  onClose: (act?: () => void) => void
}

/** A command that is asking for its choices. */
interface Asking {
  readonly command: Command
  readonly chosen: readonly CommandChoice[]
}

/** The dialog that `Ctrl K` opens: one field for everything that can be done or found. */
export function Palette({ onClose }: PaletteProps) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const [recent, setRecent] = useAtom(recentPlacesAtom)
  const { user } = useSession()
  const navigate = useNavigate()
  useFocusReturn()
  const step = asking?.command.steps?.[asking.chosen.length]

  const proceed = (command: Command, chosen: readonly CommandChoice[]): void => {
    if (chosen.length < (command.steps?.length ?? 0)) setAsking({ command, chosen })
    else onClose(() => command.onRun(chosen))
  }
  const choose = (item: PaletteItem): void => {
    if (item.kind === 'choice') {
      if (asking) proceed(asking.command, [...asking.chosen, item.choice])
    } else if (item.kind === 'command') {
      if (item.command.disabledReason === undefined) proceed(item.command, [])
    } else {
      setRecent(withRecent(recent, { ...item.place, userId: user.id }))
      onClose(() => void navigate({ href: item.place.path }))
    }
  }
  const stepBack = (): void =>
    setAsking(asking && asking.chosen.length > 0 ? { ...asking, chosen: asking.chosen.slice(0, -1) } : null)
  return (
    <SizedDialog
      isOpen
      size="small"
      className={`${styles['palette']}`}
      aria-label="Command palette"
      onClose={() => onClose()}
      canEscapeKeyClose={asking === null}
    >
      {asking && step ? (
        <Choices
          // Another question starts at its first answer.
          key={`${asking.command.title} ${asking.chosen.length}`}
          step={step}
          chosen={asking.chosen}
          onChoose={choose}
          onBack={stepBack}
        />
      ) : (
        <Everything onChoose={choose} />
      )}
    </SizedDialog>
  )
}

interface EverythingProps {
  onChoose: (item: PaletteItem) => void
}

/** Owns the typed text, so that a key re-renders the list but not the dialog around it. */
function Everything({ onChoose }: EverythingProps) {
  const [typed, setTyped] = useState('')
  return <PaletteList {...usePaletteItems(typed)} typed={typed} question={null} onType={setTyped} onChoose={onChoose} />
}

interface ChoicesProps extends EverythingProps {
  step: NonNullable<Command['steps']>[number]
  /** The answers so far. */
  chosen: readonly CommandChoice[]
  onBack: () => void
}

function Choices({ step, chosen, onChoose, onBack }: ChoicesProps) {
  const [typed, setTyped] = useState('')
  const prompt = step.prompt(chosen)
  const items = bestMatches(step.choices(chosen), typed).map(
    (choice) => ({ kind: 'choice', ...choice, choice }) as const,
  )
  return (
    <PaletteList
      groups={items.length === 0 ? [] : [{ title: prompt, items }]}
      isSearching={false}
      failure={null}
      typed={typed}
      question={{ prompt, onBack }}
      onType={setTyped}
      onChoose={onChoose}
    />
  )
}

/** Gives the focus back to where it was. */
function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
}

interface PaletteListProps extends PaletteItems {
  typed: string
  /** The current question; null while searching everything. */
  question: { prompt: string; onBack: () => void } | null
  onType: (text: string) => void
  onChoose: (item: PaletteItem) => void
}

/** The field and its list: a combobox whose focus stays in the field. */
function PaletteList({ typed, question, groups, isSearching, failure, onType, onChoose }: PaletteListProps) {
  const id = useId()
  const items = groups.flatMap((group) => group.items)
  const rows = new Map(items.map((item, row) => [item, row]))
  // By id, so that arriving results don't move the selection to another item.
  const [chosenId, setChosenId] = useState<string | null>(null)
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === chosenId),
  )
  const active = items[at]
  const chooseRow = useLatest((row: number): void => {
    const item = items[row]
    if (item) onChoose(item)
  })
  const reachRow = useLatest((row: number): void => setChosenId(items[row]?.id ?? null))
  const activeId = active && `${id}-${at}`
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const handleKeyDown = (event: KeyboardEvent): void => {
    // An input method is still composing.
    if (event.nativeEvent.isComposing) return
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key]
    if (to !== undefined && items.length > 0) {
      event.preventDefault()
      const isPage = event.key.startsWith('Page')
      const next = isPage ? Math.min(Math.max(to, 0), items.length - 1) : (to + items.length) % items.length
      setChosenId(items[next]?.id ?? null)
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      onChoose(active)
    } else if (question && (event.key === 'Escape' || (event.key === 'Backspace' && typed === ''))) {
      event.preventDefault()
      event.stopPropagation()
      question.onBack()
    }
  }
  const label = question?.prompt ?? 'Search or run a command'
  return (
    <>
      <div className={styles['field']}>
        {question ? <IconButton icon={<ArrowLeft />} label="Back" onClick={question.onBack} /> : <Search aria-hidden />}
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog exists to be typed into
          autoFocus
          type="text"
          role="combobox"
          aria-label={label}
          placeholder={label}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(activeId === undefined ? {} : { 'aria-activedescendant': activeId })}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setChosenId(null)
            onType(event.currentTarget.value)
          }}
          onKeyDown={handleKeyDown}
        />
      </div>
      <div id={`${id}-list`} className={styles['list']} role="listbox" aria-label="Results" aria-busy={isSearching}>
        {groups.map((group, groupAt) => (
          <div key={group.title} role="group" aria-labelledby={`${id}-group-${groupAt}`}>
            <div id={`${id}-group-${groupAt}`} className={styles['group']} role="presentation">
              {group.title}
            </div>
            {group.items.map((item) => {
              const row = rows.get(item) ?? 0
              return (
                <Option
                  key={item.id}
                  id={`${id}-${row}`}
                  row={row}
                  title={item.title}
                  note={item.note}
                  icon={item.icon}
                  isActive={item === active}
                  isDisabled={item.kind === 'command' && item.command.disabledReason !== undefined}
                  hasSteps={item.kind === 'command' && (item.command.steps?.length ?? 0) > 0}
                  onChoose={chooseRow}
                  onReach={reachRow}
                />
              )
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && !isSearching && failure === null ? (
        <p className={styles['note']}>
          {question ? 'No such option.' : `Nothing matches “${typed.trim()}”. Search matches the beginning of words.`}
        </p>
      ) : null}
      {failure === null ? null : <p className={styles['note']}>Only places and commands: {failure}</p>}
      <footer className={styles['foot']}>
        <output className={isSearching ? '' : 'wr-visually-hidden'}>
          {isSearching ? 'Searching…' : countOf(items.length, 'result')}
        </output>
        <span aria-hidden>
          <kbd>↑↓</kbd> move <kbd>Enter</kbd> choose <kbd>Esc</kbd> {question ? 'back' : 'close'}
        </span>
        {question ? null : (
          <span aria-hidden className={styles['prefixes']}>
            <kbd>&gt;</kbd> commands <kbd>#</kbd> incidents <kbd>:</kbd> checks <kbd>@</kbd> people <kbd>/</kbd> places
          </span>
        )}
      </footer>
    </>
  )
}

interface OptionProps {
  id: string
  /** In the list, from 0. */
  row: number
  title: string
  note: string | undefined
  icon: ReactElement | undefined
  isActive: boolean
  isDisabled: boolean
  hasSteps: boolean
  onChoose: (row: number) => void
  onReach: (row: number) => void
}

/** Memoized: the list renders four times until it shows the results. */
const Option = memo(function Option(props: OptionProps) {
  const { id, row, title, note, icon, isActive, isDisabled, hasSteps, onChoose, onReach } = props
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter in the field chooses the active option
    <div
      id={id}
      role="option"
      tabIndex={-1}
      className={styles['option']}
      aria-selected={isActive}
      aria-disabled={isDisabled || undefined}
      onPointerMove={isActive ? undefined : () => onReach(row)}
      // Keeps the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onChoose(row)}
    >
      <span className={styles['icon']} aria-hidden>
        {icon ?? <ChevronRight />}
      </span>
      <span className={styles['title']}>{title}</span>
      {note ? <span className={styles['about']}>{note}</span> : null}
      {hasSteps ? <ChevronRight size={12} aria-hidden /> : null}
    </div>
  )
})
