import { describe, expect, it } from 'vitest'

import { SCREENS, type ScreenPath } from '../../web/src/app/screens.ts'
import { readText } from './sources.ts'

const JOURNEYS = ['accessibility', 'config-item'].map((name) => readText(`e2e/journeys/${name}.spec.ts`))

/** Screens whose address no journey opens to judge them, and why. */
const NOT_OPENED: Partial<Record<ScreenPath, string>> = {
  '/incidents/$id': 'judged tab by tab, and opened by its link in the list',
  '/organizations': 'only where people sign in with a provider of several organizations',
  '/organizations/orgs-switched': 'likewise, and leads on at once',
  '/auth-state-checker': 'shows nothing and leads on at once',
  '/error/$id': 'an explanation that exists once, by an id; /error is judged',
}

/** Addresses in those journeys, without their queries. */
const addresses = JOURNEYS.flatMap((text) =>
  [...text.matchAll(/['"`](\/[^'"`?\s]*)[^'"`]*['"`]/g)].map(([, path = '']) => path),
)
const names = new Set<string>(SCREENS.map(({ path }) => path))

/** `$id` of a screen is anything in one part of an address that is no screen of its own. */
const isOpened = (path: string): boolean => {
  const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`)
  return addresses.some((address) => address === path || (!names.has(address) && pattern.test(address)))
}

describe('the journeys that look for what breaks WCAG 2.2', () => {
  it('open every screen, but for those that say why not', () => {
    const missing = SCREENS.map(({ path }) => path).filter((path) => !isOpened(path))
    expect(missing.toSorted()).toEqual(Object.keys(NOT_OPENED).toSorted())
  })
})
