import { useLocation } from '@tanstack/react-router'

/** Writes down where the router is, for tests of screens that lead elsewhere. */
export function Place() {
  return <span data-place={useLocation({ select: ({ pathname }) => pathname })} />
}

export const currentPlace = (): string | undefined =>
  document.querySelector<HTMLElement>('[data-place]')?.dataset['place']
