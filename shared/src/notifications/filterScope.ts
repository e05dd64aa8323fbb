// What filters may look at: each event carries the resources that it is about, and no others.

/** Resources, by the names that expressions have for them. */
const RESOURCES = ['check', 'canary', 'component', 'config', 'run', 'playbook'] as const
type FilterResource = (typeof RESOURCES)[number]

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g
/** `check.name`, and `check` where it stands alone; not the field of another value. */
const READ = new RegExp(String.raw`(?<![\w.$])(${RESOURCES.join('|')})\b(?:\s*\.\s*[A-Za-z_]\w*)*`, 'g')

function carriedBy(event: string): readonly FilterResource[] {
  if (event.startsWith('check.')) return ['check', 'canary']
  if (event.startsWith('component.')) return ['component']
  if (event.startsWith('config.')) return ['config']
  return event === 'playbook.approval.inserted' ? ['run', 'playbook'] : ['playbook']
}

/** What an expression reads that an event does not carry: `check.name` of `component.unhealthy`; null when there is nothing. */
export function findMissing(expression: string, event: string): string | null {
  const carried = carriedBy(event)
  for (const [path, resource] of expression.replaceAll(QUOTED, '""').matchAll(READ)) {
    if (!carried.includes(resource as FilterResource)) return path.replaceAll(/\s/g, '')
  }
  return null
}
