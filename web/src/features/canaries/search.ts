import { CHECK_TYPES } from '@watchroom/shared/health/check-types'
import { z } from 'zod'

export const VIEWS = ['form', 'yaml'] as const
export type View = (typeof VIEWS)[number]
export const TABS = ['spec', 'jobs', 'history'] as const

/** Part of the address that the screens of one canary own. */
export const canarySearch = z.object({
  view: z.enum(VIEWS).default('form').catch('form'),
  tab: z.enum(TABS).default('spec').catch('spec'),
})

const NEW_TYPES = [...CHECK_TYPES, 'custom', ''] as const
export type NewType = (typeof NEW_TYPES)[number]

/** `type` is the kind of check that a new canary begins with; `custom` begins with nothing. */
export const newCanarySearch = z.object({
  view: z.enum(VIEWS).default('form').catch('form'),
  type: z.enum(NEW_TYPES).default('').catch(''),
})
