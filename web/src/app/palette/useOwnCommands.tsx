import { LogOut, Settings } from '@blueprintjs/icons'
import { capitalize } from '@watchroom/shared/kernel'
import { useSetAtom, type WritableAtom } from 'jotai'

import { useBackendFacts } from '../../api/backendFacts.ts'
import { isStandalone, useSession } from '../../api/session.tsx'
import { DENSITIES, densityAtom } from '../../preferences/density.ts'
import { themeAtom, THEMES } from '../../preferences/theme.ts'
import { TIME_ZONES, timeZoneAtom } from '../../preferences/timeZone.ts'
import type { Command } from '../../ui/commands.ts'
import { signOut } from '../signOut.ts'

const SETTINGS = <Settings />
const LOG_OUT = <LogOut />

/** The commands of the user menu, available on every page. */
export function useOwnCommands(): Command[] {
  const { user } = useSession()
  const isHosted = useBackendFacts()?.hosted !== undefined
  const signingOut = { title: 'Sign out', icon: LOG_OUT, onRun: () => void signOut(isHosted) }
  return [
    useChoice('theme', THEMES, themeAtom),
    useChoice('density', DENSITIES, densityAtom),
    useChoice('time zone', TIME_ZONES, timeZoneAtom),
    ...(isStandalone(user) ? [] : [signingOut]),
  ]
}

function useChoice<Value extends string>(
  what: string,
  values: readonly Value[],
  atom: WritableAtom<Value, [Value], void>,
): Command {
  const choose = useSetAtom(atom)
  return {
    title: `Set ${what} to …`,
    icon: SETTINGS,
    steps: [
      {
        prompt: () => `Set ${what} to …`,
        choices: () => values.map((value) => ({ id: value, title: capitalize(value) })),
      },
    ],
    onRun: ([chosen]) => {
      const value = values.find((each) => each === chosen?.id)
      if (value !== undefined) choose(value)
    },
  }
}
