/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a field with a grouped list under it (combobox pattern): select and option show no markup */
import { ArrowLeft, ChevronRight, Search } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'
import { useAtom } from 'jotai'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'

import { useSession } from '../../api/session.tsx'
import { recentPlacesAtom, withRecent } from '../../preferences/recentPlaces.ts'
import type { Command, CommandChoice } from '../../ui/commands.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { SizedDialog } from '../../ui/SizedDialog.tsx'
import { bestMatches } from './matchText.ts'
import { type PaletteGroup, type PaletteItem, usePaletteItems } from './usePaletteItems.tsx'

import styles from './palette.module.css'

interface PaletteProps {
  /** @param act what was chosen; done once the palette is gone and the focus is back on the page */
  onClose: (act?: () => void) => void
}

/** A command that waits for its answers. */
interface Asking {
  readonly command: Command
  readonly chosen: readonly CommandChoice[]
}

/** What `Ctrl K` opens: one field over everything that can be done or found. */
export function Palette({ onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [asking, setAsking] = useState<Asking | null>(null)
  const [recent, setRecent] = useAtom(recentPlacesAtom)
  const { user } = useSession()
  const navigate = useNavigate()
  useFocusReturn()
  const everything = usePaletteItems(asking === null ? typed : '')
  const step = asking?.command.steps?.[asking.chosen.length]
  const { groups, isSearching, failure } =
    asking === null || step === undefined
      ? everything
      : {
          groups: toChoiceGroup(step.prompt(asking.chosen), step.choices(asking.chosen), typed),
          isSearching: false,
          failure: null,
        }

  const proceed = (command: Command, chosen: readonly CommandChoice[]): void => {
    setTyped('')
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
  const stepBack = (): void => {
    setTyped('')
    setAsking(asking && asking.chosen.length > 0 ? { ...asking, chosen: asking.chosen.slice(0, -1) } : null)
  }
  return (
    <SizedDialog
      isOpen
      size="small"
      className={`${styles['palette']}`}
      aria-label="Command palette"
      onClose={() => onClose()}
      canEscapeKeyClose={asking === null}
    >
      <PaletteList
        // Another question starts at its first answer.
        key={asking === null ? '' : `${asking.command.title} ${asking.chosen.length}`}
        typed={typed}
        prompt={asking && step ? step.prompt(asking.chosen) : null}
        groups={groups}
        isSearching={isSearching}
        failure={failure}
        onType={setTyped}
        onChoose={choose}
        onBack={stepBack}
      />
    </SizedDialog>
  )
}

function toChoiceGroup(title: string, choices: readonly CommandChoice[], typed: string): PaletteGroup[] {
  const items = bestMatches(choices, typed).map((choice) => ({ kind: 'choice', ...choice, choice }) as const)
  return items.length === 0 ? [] : [{ title, items }]
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

interface PaletteListProps {
  typed: string
  /** What is asked now; null while anything may be looked for. */
  prompt: string | null
  groups: readonly PaletteGroup[]
  isSearching: boolean
  failure: string | null
  onType: (text: string) => void
  onChoose: (item: PaletteItem) => void
  onBack: () => void
}

/** The field and its list: a combobox, whose focus stays in the field. */
function PaletteList({ typed, prompt, groups, isSearching, failure, onType, onChoose, onBack }: PaletteListProps) {
  const id = useId()
  const items = groups.flatMap((group) => group.items)
  // By what it is: results that arrive must not move the choice to something else.
  const [chosenId, setChosenId] = useState<string | null>(null)
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === chosenId),
  )
  const active = items[at]
  const optionId = (item: PaletteItem): string => `${id}-${items.indexOf(item)}`
  const activeId = active && optionId(active)
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const handleKeyDown = (event: KeyboardEvent): void => {
    // Of an input method that is still composing.
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
    } else if (prompt !== null && (event.key === 'Escape' || (event.key === 'Backspace' && typed === ''))) {
      event.preventDefault()
      event.stopPropagation()
      onBack()
    }
  }
  const count = items.length === 1 ? '1 result' : `${items.length} results`
  return (
    <>
      <div className={styles['field']}>
        {prompt === null ? <Search aria-hidden /> : <IconButton icon={<ArrowLeft />} label="Back" onClick={onBack} />}
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog exists to be typed into
          autoFocus
          type="text"
          role="combobox"
          aria-label={prompt ?? 'Search or run a command'}
          placeholder={prompt ?? 'Search or run a command'}
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
            {group.items.map((item) => (
              <Option
                key={item.id}
                id={optionId(item)}
                item={item}
                isActive={item === active}
                onChoose={() => onChoose(item)}
                onReach={() => setChosenId(item.id)}
              />
            ))}
          </div>
        ))}
      </div>
      {items.length === 0 && !isSearching && failure === null ? (
        <p className={styles['note']}>
          {prompt === null
            ? `Nothing matches “${typed.trim()}”. Search matches the beginning of words.`
            : 'No such option.'}
        </p>
      ) : null}
      {failure === null ? null : <p className={styles['note']}>Only places and commands: {failure}</p>}
      <footer className={styles['foot']}>
        <output className={isSearching ? '' : 'wr-visually-hidden'}>{isSearching ? 'Searching…' : count}</output>
        <span aria-hidden>
          <kbd>↑↓</kbd> move <kbd>Enter</kbd> choose <kbd>Esc</kbd> {prompt === null ? 'close' : 'back'}
        </span>
        {prompt === null ? (
          <span aria-hidden className={styles['prefixes']}>
            <kbd>&gt;</kbd> commands <kbd>#</kbd> incidents <kbd>:</kbd> checks <kbd>@</kbd> people <kbd>/</kbd> places
          </span>
        ) : null}
      </footer>
    </>
  )
}

interface OptionProps {
  id: string
  item: PaletteItem
  isActive: boolean
  onChoose: () => void
  onReach: () => void
}

function Option({ id, item, isActive, onChoose, onReach }: OptionProps) {
  const isDisabled = item.kind === 'command' && item.command.disabledReason !== undefined
  const hasSteps = item.kind === 'command' && (item.command.steps?.length ?? 0) > 0
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter in the field chooses the active option
    <div
      id={id}
      role="option"
      tabIndex={-1}
      className={styles['option']}
      aria-selected={isActive}
      aria-disabled={isDisabled || undefined}
      onPointerMove={isActive ? undefined : onReach}
      // Keeps the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={styles['icon']} aria-hidden>
        {item.icon ?? <ChevronRight />}
      </span>
      <span className={styles['title']}>{item.title}</span>
      {item.note ? <span className={styles['about']}>{item.note}</span> : null}
      {hasSteps ? <ChevronRight size={12} aria-hidden /> : null}
    </div>
  )
}
