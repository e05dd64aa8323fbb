// What a stored spec says to the screens: read with patience, because it may have been written for another backend. Pure.
import { type Parameter, ParameterSchema, type TargetKind, targetKindsOf } from '@watchroom/shared/playbooks'
import { type ResourceSelector, ResourceSelectorSchema } from '@watchroom/shared/resources'
import { z } from 'zod'

const selectors = z.array(ResourceSelectorSchema).nullish().catch([])

const ReadApprovalSchema = z
  .looseObject({
    type: z.string().nullish(),
    approvers: z.looseObject({ people: z.array(z.string()).nullish(), teams: z.array(z.string()).nullish() }),
    excludeRequester: z.boolean().nullish(),
  })
  .nullish()
  .catch(null)

const ReadSpecSchema = z.looseObject({
  parameters: z.array(ParameterSchema).nullish().catch([]),
  configs: selectors,
  components: selectors,
  checks: selectors,
  actions: z
    .array(
      z.looseObject({ name: z.string(), approval: ReadApprovalSchema, isDangerous: z.boolean().nullish().catch(null) }),
    )
    .nullish()
    .catch([]),
  approval: ReadApprovalSchema,
})

/** Who approves a run or a step. */
export interface ReadApproval {
  readonly needsAll: boolean
  readonly people: readonly string[]
  readonly teams: readonly string[]
  readonly excludesRequester: boolean
}

interface ReadSpec {
  readonly parameters: readonly Parameter[]
  /** What it runs on; none: it runs on its own. */
  readonly targets: readonly TargetKind[]
  readonly selectorsOf: (kind: TargetKind) => readonly ResourceSelector[]
  readonly steps: readonly string[]
  /** Who approves a run; null: nobody has to. */
  readonly approval: ReadApproval | null
  /** Who approves the step of this name; null where it is no approval. */
  readonly approvalOf: (step: string) => ReadApproval | null
  /** Whether two people confirm the step of this name. */
  readonly isDangerous: (step: string) => boolean
}

export function readPlaybookSpec(spec: unknown): ReadSpec {
  const read = ReadSpecSchema.catch({}).parse(spec)
  const { approval } = read
  const findAction = (step: string) => read.actions?.find(({ name }) => name === step)
  const found = { config: read.configs ?? [], component: read.components ?? [], check: read.checks ?? [] }
  return {
    parameters: read.parameters ?? [],
    targets: targetKindsOf({ configs: found.config, components: found.component, checks: found.check }),
    selectorsOf: (kind) => found[kind],
    steps: (read.actions ?? []).map(({ name }) => name),
    approval: toApproval(approval),
    approvalOf: (step) => toApproval(findAction(step)?.approval),
    isDangerous: (step) => findAction(step)?.isDangerous === true,
  }
}

const toApproval = (approval: z.infer<typeof ReadApprovalSchema>): ReadApproval | null =>
  approval
    ? {
        needsAll: approval.type === 'all',
        people: approval.approvers.people ?? [],
        teams: approval.approvers.teams ?? [],
        excludesRequester: approval.excludeRequester === true,
      }
    : null
