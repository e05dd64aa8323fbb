import type { ComponentProps } from 'react'

import type { Hold } from './useHold.ts'

interface HeldListProps extends ComponentProps<'ul'> {
  hold: Hold
}

/** A list that reports when someone is using it, by pointer or keyboard. */
export function HeldList({ hold, ...list }: HeldListProps) {
  const watch = {
    onPointerMove: hold.touch,
    onPointerLeave: hold.release,
    onFocus: hold.touch,
    onKeyDown: hold.touch,
  }
  return <ul {...list} {...watch} />
}
