import { ofAnyAgent, type ResourceSelector, ResourceSelectorSchema } from '@watchroom/shared/resources'

/** Selectors of a spec, as a search has them. One that cannot be read means nothing, one that asks for nothing too. */
export const toComponentSelectors = (selectors: readonly unknown[] = []): ResourceSelector[] =>
  ofAnyAgent(
    selectors.flatMap((selector) => {
      const parsed = ResourceSelectorSchema.safeParse(selector)
      return parsed.success ? [parsed.data] : []
    }),
  )
