import { useMayRead } from '../../api/useMayRead.ts'
import { useComponentBase } from './componentLink.ts'

/** Whether the page of a component has the section that cards lead to, for whoever is here. Shared views have no panel at all. */
export function useHasSection(name: 'incidents' | 'checks'): boolean {
  const mayRead = useMayRead()
  if (useComponentBase() !== '/topology/$id') return false
  return name === 'incidents' ? mayRead('incident', 'incidents') : mayRead('canaries', 'health')
}
