import { z } from 'zod'

import { CONNECTION_REFERENCE } from '../kernel/index.ts'
import { ResourceSelectorSchema } from '../resources/index.ts'
import { isDuration } from '../time/index.ts'
import { MAX_STEP_FILES } from './artifacts.ts'
import { ParameterSchema } from './parameter.ts'

const duration = z.string().refine(isDuration, 'expected a duration such as 500ms, 30s or 1h30m')

/** A CEL expression over `params`, `config`, `component`, `check`, `env`, `run` and the results of earlier steps (`actions`). */
const expression = z.string().min(1).max(10_000)
/** Text with `{{ expression }}` in it. */
const template = z.string().max(100_000)

const ApproversSchema = z.strictObject({
  /** E-mail addresses. */
  people: z.array(z.string()).optional(),
  /** Names. */
  teams: z.array(z.string()).optional(),
})

const ApprovalSchema = z.strictObject({
  /** Whether one approver is enough. */
  type: z.enum(['any', 'all']).default('any'),
  approvers: ApproversSchema,
  /** Whoever asked for the run may not approve it. */
  excludeRequester: z.boolean().optional(),
})

const EnvSchema = z.array(
  z.looseObject({ name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), value: template.optional() }),
)

/** Below the folder in which the script begins; `*` and `?` as the shell reads them. */
const FILE_PATTERN = /^[\w*?][\w.*?-]*(?:\/[\w*?][\w.*?-]*)*$/

const ExecSchema = z.strictObject({
  /** Run by `sh`. Values in `{{ }}` reach it as environment variables, never as text of the script. */
  script: template.min(1),
  env: EnvSchema.optional(),
  /** Values become text of the script. Only an administrator may save it. */
  raw: z.boolean().optional(),
  /** Files that the script leaves in its folder and that are kept with the step. */
  artifacts: z
    .array(
      z.strictObject({
        path: z
          .string()
          .max(200)
          .regex(FILE_PATTERN, 'expected a path below the folder of the script, such as report.csv or out/*.png'),
      }),
    )
    .max(MAX_STEP_FILES)
    .optional(),
})

const HttpSchema = z.strictObject({
  url: template.optional(),
  connection: z.string().optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
  headers: z.array(z.looseObject({ name: z.string().min(1), value: template.optional() })).optional(),
  body: template.optional(),
})

const SqlSchema = z.strictObject({
  connection: z.string().optional(),
  url: z.string().optional(),
  driver: z.enum(['postgres']).default('postgres'),
  query: template.min(1),
})

const NotificationSchema = z.strictObject({
  title: template.min(1),
  message: template,
  /** E-mail addresses of people. */
  people: z.array(z.string()).optional(),
  /** Names of teams. */
  teams: z.array(z.string()).optional(),
  /** Told as well; one of type email carries the mails to people and teams, or without any goes to its own address. */
  connection: z.string().regex(CONNECTION_REFERENCE, 'expected connection://namespace/name').optional(),
})

/** What a step does: exactly one of these. */
export const ACTION_KINDS = ['exec', 'http', 'sql', 'delay', 'approval', 'notification'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

export const ActionSchema = z
  .strictObject({
    name: z.string().min(1).max(200),
    exec: ExecSchema.optional(),
    http: HttpSchema.optional(),
    sql: SqlSchema.optional(),
    /** Wait this long. */
    delay: duration.optional(),
    approval: ApprovalSchema.optional(),
    notification: NotificationSchema.optional(),
    /** The step is skipped when this is false. Default: when an earlier step failed. `always()` runs after any. */
    if: expression.optional(),
    /** Default 30m. */
    timeout: duration.optional(),
    retry: z.strictObject({ limit: z.number().int().min(0).max(10), duration: duration.optional() }).optional(),
    /** Names of agents; `local` is the backend itself. */
    runsOn: z.array(z.string()).optional(),
    templatesOn: z.enum(['host', 'agent']).optional(),
    /** Whether the step may be repeated when the backend was killed in the middle of it. */
    isRepeatable: z.boolean().optional(),
    /** Waits until two different people confirm it on the page of the run. */
    isDangerous: z.boolean().optional(),
  })
  .superRefine((action, context) => {
    if (action.isDangerous && action.approval) {
      context.addIssue({
        code: 'custom',
        path: ['isDangerous'],
        message: 'an approval is given by its approvers alone',
      })
    }
    const kinds = ACTION_KINDS.filter((kind) => action[kind] !== undefined)
    if (kinds.length === 1) return
    const found = kinds.length === 0 ? 'none' : kinds.join(' and ')
    context.addIssue({ code: 'custom', message: `expected exactly one of ${ACTION_KINDS.join(', ')}, found ${found}` })
  })
export type PlaybookAction = z.infer<typeof ActionSchema>

const EventTriggerSchema = z.strictObject({
  event: z.string().min(1),
  filter: expression.optional(),
  labels: z.record(z.string(), z.string()).optional(),
})

/** How a caller of a webhook proves itself. Values are secrets. */
const WebhookAuthenticationSchema = z
  .strictObject({
    basic: z.strictObject({ username: z.string().min(1), password: z.string().min(1) }),
    github: z.strictObject({ token: z.string().min(1) }),
    svix: z.strictObject({ secret: z.string().min(1), timestampTolerance: duration.optional() }),
    jwt: z.strictObject({ jwksUri: z.url() }),
  })
  .partial()

const TriggersSchema = z.strictObject({
  /** Cron, or `@every 1h`. */
  schedule: z.string().optional(),
  webhook: z
    .strictObject({ path: z.string().min(1), authentication: WebhookAuthenticationSchema.optional() })
    .optional(),
  canary: z.array(EventTriggerSchema).optional(),
  component: z.array(EventTriggerSchema).optional(),
  config: z.array(EventTriggerSchema).optional(),
})

/** What a playbook says. Stored as it was written; read through this before it runs and before it is saved. */
export const PlaybookSpecSchema = z
  .strictObject({
    title: z.string().optional(),
    description: z.string().optional(),
    category: z.string().optional(),
    icon: z.string().optional(),
    on: TriggersSchema.optional(),
    runsOn: z.array(z.string()).optional(),
    templatesOn: z.enum(['host', 'agent']).optional(),
    env: EnvSchema.optional(),
    permissions: z.array(z.looseObject({})).optional(),
    configs: z.array(ResourceSelectorSchema).optional(),
    checks: z.array(ResourceSelectorSchema).optional(),
    components: z.array(ResourceSelectorSchema).optional(),
    parameters: z.array(ParameterSchema).optional(),
    /** CEL: each must hold for a run to start. */
    filters: z.array(expression).optional(),
    approval: ApprovalSchema.optional(),
    /** Of a whole run. Default 30m. */
    timeout: duration.optional(),
    actions: z.array(ActionSchema).min(1).max(100),
  })
  .superRefine(({ actions, parameters = [] }, context) => {
    for (const [list, path] of [
      [actions, 'actions'],
      [parameters, 'parameters'],
    ] as const) {
      const names = new Set<string>()
      for (const [index, { name }] of list.entries()) {
        if (names.has(name))
          context.addIssue({ code: 'custom', path: [path, index, 'name'], message: `"${name}" is there twice` })
        names.add(name)
      }
    }
  })
export type PlaybookSpec = z.infer<typeof PlaybookSpecSchema>

/** What a playbook can be run on. */
export const TARGET_KINDS = ['config', 'component', 'check'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

const SELECTORS_OF = { config: 'configs', component: 'components', check: 'checks' } as const

/** Kinds of resources that a playbook runs on; none: it runs on its own. */
export const targetKindsOf = (spec: Pick<PlaybookSpec, 'configs' | 'components' | 'checks'>): readonly TargetKind[] =>
  TARGET_KINDS.filter((kind) => (spec[SELECTORS_OF[kind]]?.length ?? 0) > 0)

/** JSON Schema (draft 2020-12) of a spec as it is written: for editors, and at `/schemas/playbook-spec.schema.json`. */
export const toPlaybookJsonSchema = (): object =>
  z.toJSONSchema(PlaybookSpecSchema, { io: 'input', unrepresentable: 'any' })
