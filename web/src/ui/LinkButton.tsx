import { Classes } from '@blueprintjs/core'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'

import type { FlatSearch } from '../url/searchParams.ts'

interface LinkButtonProps {
  to: string
  /** Absent: the address has none. */
  search?: FlatSearch
  icon?: ReactElement
  /** Absent: the icon says it, and the label. */
  text?: ReactNode
  label?: string
  kind?: 'minimal' | 'primary'
}

const NO_SEARCH = {}
const KINDS = { minimal: Classes.MINIMAL, primary: Classes.INTENT_PRIMARY }

/** A link that looks like a button. A real link: it opens in new tabs too. */
export const LinkButton = ({ to, search = NO_SEARCH, icon, text, label, kind }: LinkButtonProps) => (
  <Link
    to={to}
    search={search}
    className={kind === undefined ? Classes.BUTTON : `${Classes.BUTTON} ${KINDS[kind]}`}
    aria-label={label}
  >
    {icon === undefined ? null : <span className={Classes.ICON}>{icon}</span>}
    {text === undefined ? null : <span className={Classes.BUTTON_TEXT}>{text}</span>}
  </Link>
)
