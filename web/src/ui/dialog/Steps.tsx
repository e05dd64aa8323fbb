import styles from './dialog.module.css'

interface StepsProps {
  readonly names: readonly string[]
  readonly current: string
}

/** Where someone is in a dialog of several steps. */
export function Steps({ names, current }: StepsProps) {
  const at = names.indexOf(current)
  return (
    <ol className={styles['steps']} aria-label="Steps">
      {names.map((name, index) => (
        <li
          key={name}
          data-step={index < at ? 'done' : index === at ? 'current' : 'ahead'}
          {...(index === at ? { 'aria-current': 'step' as const } : {})}
        >
          {name}
        </li>
      ))}
    </ol>
  )
}
