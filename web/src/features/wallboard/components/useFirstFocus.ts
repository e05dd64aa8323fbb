import { type RefObject, useEffect, useRef } from 'react'

/** The first field of a form that the person just opened: the focus goes there, once. */
export function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
