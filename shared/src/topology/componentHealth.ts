/** What a component is, worst first. Nothing known is `unknown`, never healthy. */
export const COMPONENT_HEALTHS = ['unhealthy', 'warning', 'healthy', 'unknown'] as const
export type ComponentHealth = (typeof COMPONENT_HEALTHS)[number]

/** Health in the words of a row: other words say nothing about it. */
export function toComponentHealth(word: string | null | undefined): ComponentHealth {
  const lowered = word?.toLowerCase()
  return COMPONENT_HEALTHS.find((health) => health === lowered) ?? 'unknown'
}

const rank = (health: ComponentHealth): number => COMPONENT_HEALTHS.indexOf(health)

/** The worst of what is known: what nobody knows decides only where nothing is known. */
export function worstHealth(healths: Iterable<ComponentHealth>): ComponentHealth {
  let worst: ComponentHealth = 'unknown'
  for (const health of healths) if (rank(health) < rank(worst)) worst = health
  return worst
}
