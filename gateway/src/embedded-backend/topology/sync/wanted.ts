// A component as a spec wants it: what is written of it, and what it is linked to.
import type { CanarySpec } from '@watchroom/shared/health/check-types'
import type { ResourceSelector } from '@watchroom/shared/resources'

export interface WantedComponent {
  /** Its place in the list; parents stand before their children. */
  readonly parent: number | null
  readonly name: string
  readonly type: string | null
  readonly externalId: string
  readonly configId: string | null
  readonly text: string | null
  readonly topologyType: string | null
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly hidden: boolean
  /** Null where nobody says it. */
  readonly status: string | null
  readonly statusExpr: string | null
  readonly healthExpr: string | null
  readonly description: string | null
  readonly lifecycle: string | null
  readonly tooltip: string | null
  readonly icon: string | null
  readonly owner: string | null
  readonly properties: readonly Readonly<Record<string, unknown>>[]
  readonly selectors: readonly ResourceSelector[]
  readonly logSelectors: readonly unknown[]
  readonly checks: readonly ResourceSelector[]
  /** With their secrets in place: only canaries hold them. */
  readonly inlineChecks: readonly CanarySpec[]
  readonly configs: readonly ResourceSelector[]
  /** False where what was looked up below it is not all there is. */
  readonly isComplete: boolean
}
