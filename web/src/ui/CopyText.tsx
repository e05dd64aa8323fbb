import { Duplicate } from '@blueprintjs/icons'

import { copyText } from './copyToClipboard.ts'
import { IconButton } from './IconButton.tsx'

interface CopyTextProps {
  text: string
  /** What is copied, for the button's name: `Copy {what}`. */
  what?: string
  /** Short enough to be named when it is copied. */
  isNamed?: boolean
}

/** A value in its exact spelling with a button that copies it. */
export function CopyText({ text, what = 'text', isNamed = false }: CopyTextProps) {
  return (
    <span className="wr-copy">
      <code>{text}</code>
      <IconButton
        icon={<Duplicate size={12} />}
        label={`Copy ${what}`}
        size="small"
        onClick={() => void copyText(text, isNamed ? text : undefined)}
      />
    </span>
  )
}
