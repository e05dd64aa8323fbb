// Which places hold what a selector asks for.
import type { LogRoute } from '@watchroom/shared/logs'

import type { LogTarget } from './findSelector.ts'

/** The first of the routes that fits; null when none does. */
export function matchRoute(routes: readonly LogRoute[], { type, id, labels }: LogTarget): LogRoute | null {
  const fits = (route: LogRoute): boolean =>
    (!route.type || route.type === type) &&
    (!route.id_prefix || id.startsWith(route.id_prefix)) &&
    Object.entries(route.labels ?? {}).every(([name, patterns]) => {
      const value = Object.hasOwn(labels, name) ? labels[name] : undefined
      return value !== undefined && matchesPatterns(patterns, value)
    })
  return routes.find(fits) ?? null
}

/** What a selector says beyond the route that led here narrows what is found. */
export function restOfLabels(route: LogRoute, { labels }: LogTarget): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !Object.hasOwn(route.labels ?? {}, name)))
}

function matchesPatterns(patterns: string, value: string): boolean {
  const all = patterns
    .split(',')
    .map((pattern) => pattern.trim())
    .filter(Boolean)
  const excluded = all.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const wanted = all.filter((pattern) => !pattern.startsWith('!'))
  if (excluded.some((pattern) => matchesPattern(pattern, value))) return false
  return wanted.length === 0 || wanted.some((pattern) => matchesPattern(pattern, value))
}

function matchesPattern(pattern: string, value: string): boolean {
  if (pattern.endsWith('*')) return value.startsWith(pattern.slice(0, -1))
  return pattern.startsWith('*') ? value.endsWith(pattern.slice(1)) : pattern === value
}
