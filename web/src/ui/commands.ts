// The commands of the current page. Toolbar buttons register themselves (`CommandButton`), so that a command exists exactly where,
// when and for whom its button does; the palette lists and runs them.
import { type ReactElement, useEffect, useRef } from 'react'

export interface CommandChoice {
  readonly id: string
  readonly title: string
  readonly note?: string
}

/** One answer that a command asks for before it runs. */
interface CommandStep {
  /** @param chosen the answers so far */
  readonly prompt: (chosen: readonly CommandChoice[]) => string
  readonly choices: (chosen: readonly CommandChoice[]) => readonly CommandChoice[]
}

export interface Command {
  readonly title: string
  readonly icon?: ReactElement
  /** Why it cannot be run now. */
  readonly disabledReason?: string | undefined
  readonly steps?: readonly CommandStep[]
  /** @param chosen one answer for each step */
  readonly onRun: (chosen: readonly CommandChoice[]) => void
}

const offered = new Set<{ current: Command }>()

/** The current commands, in the order in which they were registered. */
export const listCommands = (): Command[] => Array.from(offered, ({ current }) => current)

/** Offers the command for as long as the component is shown and the command is not null. */
export function useCommand(command: Command | null): void {
  const entry = useRef<Command | null>(null)
  useEffect(() => {
    entry.current = command
  })
  const isOffered = command !== null
  useEffect(() => {
    if (!isOffered) return undefined
    const own = {
      get current(): Command {
        if (entry.current === null) throw new Error('a command was read that is not offered')
        return entry.current
      },
    }
    offered.add(own)
    return () => void offered.delete(own)
  }, [isOffered])
}
