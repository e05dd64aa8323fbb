import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'

import { type FlatSearch, parseSearch, stringifySearch } from '../url/searchParams.ts'
import { HOME_PATH } from './links.ts'

const rootRoute = createRootRoute({
  // Each screen reads its own keys through its own schema (url/useSearchState.ts); here the address only has to be flat.
  validateSearch: (search: FlatSearch): FlatSearch => search,
})

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: () => HOME_PATH,
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([homeRoute]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
