import type { ComponentHealth } from './componentHealth.ts'
import type { OwnCounts } from './summary.ts'

/** What is known of a component itself. */
export interface TopologyNode {
  readonly id: string
  readonly parentId: string | null
  /** Components whose selectors took it in beside its parent. */
  readonly linkedTo: readonly string[]
  /** What was said of it: by a person, an agent, or where it was looked up. */
  readonly health: ComponentHealth
  readonly status: string
  /** The items of the catalog that it stands for. */
  readonly configs: readonly ComponentHealth[]
  readonly own: OwnCounts
  /** Expressions that decide instead, over `summary` and `self`. */
  readonly healthExpr?: string
  readonly statusExpr?: string
}
