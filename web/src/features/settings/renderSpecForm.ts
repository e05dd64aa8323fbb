import type { ReactNode } from 'react'

export interface SpecFormProps {
  /** The one copy of what is edited. */
  text: string
  spec: Readonly<Record<string, unknown>>
  /** Also what is merely missing is shown: saving was tried. */
  wasTried: boolean
  isReadOnly: boolean
  onChange: (text: string) => void
}

/** What another feature shows in place of the text of a spec that can be read. */
export type RenderSpecForm = (props: SpecFormProps) => ReactNode
