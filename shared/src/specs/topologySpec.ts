import { z } from 'zod'

import { ComponentSelectorSchema, required, schedule } from './common.ts'

const PropertySchema = z.looseObject({ name: z.string().optional(), label: z.string().optional() })

const ComponentSchema = z.looseObject({
  name: required,
  type: z.string().optional(),
  icon: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  selectors: z.array(ComponentSelectorSchema).optional(),
  properties: z.array(PropertySchema).optional(),
  get components() {
    return z.array(ComponentSchema).optional()
  },
})

/** Components that are named, and where others are looked up. */
export const TopologySpecSchema = z.looseObject({
  type: z.string().optional(),
  icon: z.string().optional(),
  text: z.string().optional(),
  schedule: schedule.optional(),
  label: z.string().optional(),
  owner: z.string().optional(),
  components: z.array(ComponentSchema).optional(),
  properties: z.array(PropertySchema).optional(),
})
