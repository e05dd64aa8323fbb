import { toYamlLines } from './toYamlLines.ts'

/**
 * A config as it is shown and compared, line by line: a document that brings its own text (`{content, format}`) is that text, any
 * other is YAML with its keys at the top in order.
 */
export function toConfigText(config: unknown): string {
  if (typeof config === 'string') return config
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return toYamlLines(config).join('\n')
  const { content } = config as { readonly content?: unknown }
  if (typeof content === 'string') return content
  const sorted = Object.entries(config).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return toYamlLines(Object.fromEntries(sorted)).join('\n')
}
