import { toYamlLines } from '@watchroom/shared/catalog'
import { ownValue } from '@watchroom/shared/kernel'

import type { CodeLanguage } from '../../ui/code/colorLine.ts'

export interface ConfigContent {
  readonly lines: readonly string[]
  readonly language: CodeLanguage
  /** As its source calls it. */
  readonly format: string
}

/** What a source that keeps text calls its format, where it calls it nothing (backend reference, 10.13). */
const DEFAULT_FORMAT = 'json'

const LANGUAGES: Readonly<Record<string, CodeLanguage>> = {
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  properties: 'properties',
  ini: 'properties',
  toml: 'toml',
}

/**
 * The content of an item as lines: text as its source has it, anything else as YAML with its keys in order.
 *
 * @returns null when there is none
 */
export function toConfigContent(config: unknown): ConfigContent | null {
  if (config === null || config === undefined) return null
  if (typeof config === 'string') return toText(config, 'text')
  if (typeof config !== 'object' || Array.isArray(config)) return toYaml(config)
  const { content, format } = config as { readonly content?: unknown; readonly format?: unknown }
  if (typeof content === 'string') return toText(content, typeof format === 'string' ? format : DEFAULT_FORMAT)
  return toYaml(Object.fromEntries(Object.entries(config).toSorted(([one], [other]) => (one < other ? -1 : 1))))
}

const toYaml = (value: unknown): ConfigContent => ({ lines: toYamlLines(value), language: 'yaml', format: 'yaml' })

function toText(text: string, format: string): ConfigContent | null {
  if (text.trim() === '') return null
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  return { lines, format, language: ownValue(LANGUAGES, format.toLowerCase()) ?? 'text' }
}
