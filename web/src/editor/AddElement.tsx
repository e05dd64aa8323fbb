import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import type { ReactElement } from 'react'

interface AddElementProps<Kind extends string> {
  text: string
  /** What there is to choose from. */
  label: string
  kinds: readonly {
    readonly kind: Kind
    readonly title: string
    readonly icon?: ReactElement
    /** Why it cannot be added. */
    readonly refusal?: string | null
  }[]
  onAdd: (kind: Kind) => void
}

/** Adds one more element to a spec, of a kind to choose: a check, a source. */
export const AddElement = <Kind extends string>({ text, label, kinds, onAdd }: AddElementProps<Kind>) => (
  // What opens the menu is as wide as its text.
  <div>
    <PopoverNext
      placement="bottom-start"
      content={
        <Menu aria-label={label}>
          {kinds.map(({ kind, title, icon, refusal = null }) => (
            <MenuItem
              key={kind}
              icon={icon}
              text={refusal === null ? title : `${title}: ${refusal}`}
              multiline
              disabled={refusal !== null}
              onClick={() => onAdd(kind)}
            />
          ))}
        </Menu>
      }
    >
      <Button icon={<Plus />} text={text} />
    </PopoverNext>
  </div>
)
