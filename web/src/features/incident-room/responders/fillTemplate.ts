import { ownValue } from '@watchroom/shared/kernel'

/** `<%= path %>`, `<%- path %>` and `${path}`: what team settings contain. Code in them is never run. */
const PLACEHOLDER = /<%[=-]\s*([\w$.]+)\s*%>|\$\{\s*([\w$.]+)\s*\}/g

export type TemplateValues = Readonly<Record<string, unknown>>

/** Puts values into a template. A path that leads nowhere leaves nothing behind. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(PLACEHOLDER, (_match, erb: string | undefined, dollar: string | undefined) =>
    toText(readPath(values, (erb ?? dollar ?? '').split('.'))),
  )
}

function readPath(values: TemplateValues, path: readonly string[]): unknown {
  let value: unknown = values
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = ownValue(value as Record<string, unknown>, key)
  }
  return value
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
