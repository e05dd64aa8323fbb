/** What the field's policy calls that which a call outside of the tables is about, by the beginning of its path. */
const OBJECTS = new Map([
  ['agent', 'agent'],
  ['artifacts', 'artifact'],
  ['auth', 'auth'],
  ['canary', 'canaries'],
  ['catalog', 'catalog'],
  ['config', 'catalog'],
  ['connection', 'connection'],
  ['kubeconfig', 'kubernetes-proxy'],
  ['logs', 'logs'],
  ['notification', 'notification'],
  ['people', 'people'],
  ['playbook', 'playbooks'],
  ['rbac', 'rbac'],
  ['resources', 'catalog'],
  ['snapshot', 'topology'],
  ['snapshot/config', 'catalog'],
])

/** @param path as it was asked for @returns undefined for calls that are only ours */
export function toPolicyObject(path: string): string | undefined {
  const [, first = '', second = ''] = path.split(/[/?]/)
  return OBJECTS.get(`${first}/${second}`) ?? OBJECTS.get(first)
}
